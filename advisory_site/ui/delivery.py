"""The button that sends a form: over the live connection, or as a plain post where there is no answer on it."""

import reflex as rx
from reflex.utils.imports import ImportVar

from .scripts import script


class SendButton(rx.Component):
    """Submits the form it stands in, and sees to it that what was sent arrives.

    `is_sending` is what the server says of it, `answers` grows with each of its replies, whatever they say. Where
    neither comes in time, the same values go as a plain post, by which the server knows them again: a form behind
    this button has an action, a method, and an id among its fields. A server that cannot be reached at all is
    waited for, with everything typed still on the page.
    """

    tag = "SendButton"
    is_sending: rx.Var[bool]
    answers: rx.Var[int]
    label: rx.Var[str]
    busy_label: rx.Var[str]

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The hooks that the code below uses."""
        return {"react": [ImportVar(tag="useEffect"), ImportVar(tag="useState"), ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_SEND]


class Delivered(rx.Component):
    """Stands by the form with the id `form` once it has been delivered: gets the focus, and the form is empty.

    The browser gives each form an id of its own, in the hidden field `submission`; `accepted` is the id that the
    server stored last. `is_drawn` shows it from the start: the page answers a plain post.
    """

    library = script("delivered.jsx")
    tag = "Delivered"
    form: rx.Var[str]
    accepted: rx.Var[str]
    is_drawn: rx.Var[bool]


send_button = SendButton.create
delivered = Delivered.create

_SEND = """
// Time for a connection to open and the server to take the form up; and then for it to finish.
const MS_TO_TAKE_UP = 4000;
const MS_TO_FINISH = 15000;

async function isReachable(address) {
  try { return (await fetch(address, {method: "HEAD", cache: "no-store"})).status < 500; } catch { return false; }
}

function post(address, fields) {
  const copy = document.createElement("form");
  Object.assign(copy, {method: "post", action: address, hidden: true});
  for (const [name, value] of fields) {
    const field = document.createElement("input");
    Object.assign(field, {type: "hidden", name, value});
    copy.append(field);
  }
  document.body.append(copy);
  copy.submit();
}

function SendButton({isSending, answers, label, busyLabel, ...rest}) {
  const button = useRef(null);
  const sent = useRef(null);
  const [waits, setWaits] = useState(false);
  useEffect(() => {
    const {form} = button.current;
    const onSubmit = () => { sent.current = {address: form.action, fields: [...new FormData(form)]}; setWaits(true); };
    const onReturn = (event) => { if (event.persisted) setWaits(false); };
    form.addEventListener("submit", onSubmit);
    addEventListener("pageshow", onReturn);
    return () => {
      form.removeEventListener("submit", onSubmit);
      removeEventListener("pageshow", onReturn);
    };
  }, []);
  useEffect(() => setWaits(false), [answers]);
  useEffect(() => {
    if (!waits) return;
    let timer, isOver = false;
    const wait = (time) => { timer = setTimeout(deliver, time); };
    const deliver = async () => {
      const {address, fields} = sent.current;
      const reachable = await isReachable(address);
      if (isOver) return;
      if (reachable) post(address, fields);
      else wait(MS_TO_TAKE_UP);
    };
    wait(isSending ? MS_TO_FINISH : MS_TO_TAKE_UP);
    return () => { isOver = true; clearTimeout(timer); };
  }, [waits, isSending]);
  const isBusy = isSending || waits;
  return jsx("button", {...rest, ref: button, type: "submit", disabled: isBusy}, isBusy ? busyLabel : label);
}
"""
