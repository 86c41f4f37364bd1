"""What keeps typed text safe: a question before leaving, a draft in the browser, and Ctrl or Cmd+S.

The draft lives in the session storage of the tab, under the name of whoever typed it. It is written while typing
pauses and before anything is sent, and taken back when the form opens again: after an expired session, a crash, a
reload. Saving, or agreeing to leave, throws it away. Short forms have the question alone.
"""

from typing import Any

import reflex as rx
from reflex.utils.imports import ImportVar

from ..content import messages
from .chakra import CHAKRA, ROUTER


class UnsavedChanges(rx.Component):
    """Stands beside the form with the id `form`; mount both anew, with a new `key`, when the form's values change.

    `draft` names the draft (who and which record). `attempt` grows with every refusal of the server. `is_restored`
    says that the form shows a draft already. `watched` fields are sent by `on_pause` when typing in one pauses.
    """

    tag = "UnsavedChanges"
    form: rx.Var[str]
    draft: rx.Var[str]
    sentence: rx.Var[str] = rx.Var.create(messages.UNSAVED_CHANGES)
    attempt: rx.Var[int]
    is_restored: rx.Var[bool]
    watched: rx.Var[list[str]] = rx.Var.create([])
    sign_in: rx.Var[str]
    restored_text: rx.Var[str]
    discard_label: rx.Var[str]
    discard_sentence: rx.Var[str]
    on_restore: rx.EventHandler[rx.event.passthrough_event_spec(dict)]
    on_discard: rx.EventHandler[rx.event.no_args_event_spec]
    on_pause: rx.EventHandler[rx.event.passthrough_event_spec(str, dict)]

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The router, which can hold a navigation back, and Chakra's button."""
        return {
            "react": [ImportVar(tag=name) for name in ("useCallback", "useEffect", "useLayoutEffect", "useRef")],
            ROUTER: [ImportVar(tag="useBlocker")],
            CHAKRA: [ImportVar(tag="Button", alias="ChakraButton")],
        }

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_UNSAVED]


class AskBeforeLeaving(rx.Component):
    """Asks before leaving a page whose `forms` (a selector) were typed into; keeps nothing, so passwords may be there.

    One for the whole page, because the router lets one alone hold a navigation back. What a password manager fills in
    by itself is not counted. On the way to `sign_in` nobody is asked: there is nothing to come back to.
    """

    tag = "AskBeforeLeaving"
    forms: rx.Var[str]
    sign_in: rx.Var[str]
    sentence: rx.Var[str] = rx.Var.create(messages.UNSAVED_CHANGES)

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The router, which can hold a navigation back."""
        return {
            "react": [ImportVar(tag=name) for name in ("useCallback", "useEffect")],
            ROUTER: [ImportVar(tag="useBlocker")],
        }

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_ASK]


ask_before_leaving = AskBeforeLeaving.create


def unsaved_changes(**props: Any) -> rx.Component:
    """See `UnsavedChanges`."""
    return UnsavedChanges.create(**props)


_UNSAVED = """
function typedInto(form) {
  return Object.fromEntries([...new FormData(form).entries()].filter(([, value]) => typeof value === "string"));
}

function UnsavedChanges(props) {
  const {form, draft, sentence, attempt, isRestored, watched, signIn, onRestore, onPause, onDiscard} = props;
  const untouched = useRef(null);
  const sent = useRef(false);
  const left = useRef(false);
  const calls = useRef({});
  useEffect(() => { calls.current = {onRestore, onPause}; });
  useEffect(() => { sent.current = false; }, [attempt]);
  const element = useCallback(() => document.getElementById(form), [form]);
  const isDirty = useCallback(() => {
    const here = element();
    return Boolean(here) && !left.current && JSON.stringify(typedInto(here)) !== untouched.current;
  }, [element]);
  const key = "draft:" + draft;
  const keep = useCallback(() => {
    try {
      if (isDirty()) sessionStorage.setItem(key, JSON.stringify(typedInto(element())));
    } catch {}
  }, [key, isDirty, element]);
  const forget = useCallback(() => { try { sessionStorage.removeItem(key); } catch {} }, [key]);

  useEffect(() => {
    const here = element();
    if (!here) return;
    untouched.current = isRestored ? "" : JSON.stringify(typedInto(here));
    let kept = null;
    try { kept = sessionStorage.getItem(key); } catch {}
    forget();
    if (kept && kept !== untouched.current && !isRestored) {
      try { calls.current.onRestore?.(JSON.parse(kept)); } catch {}
    }
    const pauses = {};
    const typed = (event) => {
      const name = event.target?.name;
      sent.current = false;
      clearTimeout(pauses[name]);
      pauses[name] = setTimeout(() => {
        keep();
        if (!watched.includes(name)) return;
        const values = Object.fromEntries(watched.map((one) => [one, here.elements[one]?.value ?? ""]));
        calls.current.onPause?.(name, values);
      }, 400);
    };
    const submitted = () => { keep(); sent.current = true; };
    const keys = (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        here.requestSubmit();
      }
    };
    const leaving = (event) => { if (isDirty() && !sent.current) { keep(); event.preventDefault(); } };
    const hidden = () => { if (document.visibilityState === "hidden") keep(); };
    here.addEventListener("input", typed);
    here.addEventListener("submit", submitted, true);
    window.addEventListener("keydown", keys);
    window.addEventListener("beforeunload", leaving);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      Object.values(pauses).forEach(clearTimeout);
      here.removeEventListener("input", typed);
      here.removeEventListener("submit", submitted, true);
      window.removeEventListener("keydown", keys);
      window.removeEventListener("beforeunload", leaving);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, []);
  // The form may go for reasons of the server's: a restart, a lost connection. Its inputs still stand at this moment.
  useLayoutEffect(() => () => { if (!left.current) keep(); }, [keep]);

  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) => {
    const same = (one) => one.pathname + one.search;
    if (same(currentLocation) === same(nextLocation)) return false;
    if (!isDirty()) { forget(); return false; }
    if (nextLocation.pathname === signIn) { keep(); return false; }
    if (sent.current) { left.current = true; forget(); return false; }
    return true;
  }, [isDirty, keep, forget, signIn]));
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(sentence)) { left.current = true; forget(); blocker.proceed(); } else blocker.reset();
  }, [blocker, sentence, forget]);
  const discard = () => {
    if (!window.confirm(props.discardSentence)) return;
    left.current = true;
    forget();
    onDiscard();
  };
  if (!isRestored) return null;
  return jsx("div", {className: "office-note", role: "status"},
    jsx("p", null, props.restoredText),
    jsx(ChakraButton, {type: "button", variant: "outline", size: "sm", onClick: discard}, props.discardLabel));
}
"""

_ASK = """
function AskBeforeLeaving({forms, signIn, sentence}) {
  const isDirty = useCallback(() => {
    const typed = (one) => "defaultValue" in one && one.value !== one.defaultValue;
    const fields = [...document.querySelectorAll(forms)].flatMap((form) => [...form.elements]);
    return fields.some((one) => typed(one) && one.autocomplete !== "current-password");
  }, [forms]);
  useEffect(() => {
    const leaving = (event) => { if (isDirty()) event.preventDefault(); };
    window.addEventListener("beforeunload", leaving);
    return () => window.removeEventListener("beforeunload", leaving);
  }, [isDirty]);
  const blocker = useBlocker(useCallback(({currentLocation, nextLocation}) =>
    currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== signIn && isDirty(),
    [isDirty, signIn]));
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(sentence)) blocker.proceed(); else blocker.reset();
  }, [blocker, sentence]);
  return null;
}
"""
