// @ts-check
// The button that submits a form once; see sitekit/ui/form.py.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "./controls.jsx";
import { generateUUID } from "$/framework/reflex.js";
import { registerForm, useConnection } from "./connection.js";
import { useFilled } from "./filled.jsx";
import { holdPointer } from "./pointer.js";

// In ms. Without an answer for this long, the submission counts as lost and may be sent again.
const ANSWER_TIMEOUT = 10000;

export function SubmitButton(props) {
  const {answered, timesRefused, isBusy, label, busyLabel, waitingLabel, filled, filledLabel, filledBusyLabel, ...rest} = props;
  const button = useRef(null);
  const [held, isAway] = useWaiting(button);
  const isFilled = useFilled(() => button.current.form, filled);
  const isWaiting = held === "", isOther = Boolean(held); // another button of the form was pressed
  const id = useRef(null);
  const last = useRef(answered);
  const pressed = useRef(false);
  const hadFocus = useRef(false);
  const [isSent, setSent] = useState(false);
  // Disabled before hydration, because the browser would send the form itself.
  const [isReady, setReady] = useState(false);
  const release = useCallback(() => { pressed.current = false; setSent(false); }, []);
  const renew = useCallback(() => { id.current = generateUUID(); release(); }, [release]);

  useEffect(() => {
    const {form} = button.current;
    setReady(true);
    id.current = generateUUID();
    const addId = ({formData}) => formData.set("submission", id.current);
    const submit = (event) => {
      if (pressed.current) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      pressed.current = true;
      hadFocus.current = document.activeElement === button.current;
      setSent(true);
      // The next listener reads the values; the id must not be among them for anything else.
      form.addEventListener("formdata", addId);
      setTimeout(() => form.removeEventListener("formdata", addId));
    };
    form.addEventListener("submit", submit);
    const unregister = registerForm({
      form,
      submission: () => pressed.current ? id.current : "",
      isAnswered: (submission) => last.current === submission,
      release,
      submitAgain: (submission, then) => {
        if (submission) id.current = submission;
        if (then) form.elements.then.value = then;
        form.requestSubmit(button.current);
        if (then) form.elements.then.value = "";
      },
    });
    return () => {
      unregister();
      form.removeEventListener("submit", submit);
    };
  }, []);
  // Before the reply is painted, so that Enter works as soon as an error is shown.
  useLayoutEffect(() => {
    last.current = answered;
    if (answered && answered === id.current) renew();
  }, [answered, renew]);
  const seen = useRef(timesRefused);
  useLayoutEffect(() => {
    if (seen.current !== timesRefused) renew();
    seen.current = timesRefused;
  }, [timesRefused, renew]);
  useEffect(() => {
    if (!isSent || isBusy || isAway) return;
    const timer = setTimeout(release, ANSWER_TIMEOUT);
    return () => clearTimeout(timer);
  }, [isSent, isBusy, isAway, release]);

  const isHeld = !isOther && (isSent || isBusy || isWaiting);
  useEffect(() => {
    // A disabled button loses the focus, and keyboard users would begin at the top of the page again.
    if (isHeld || !hadFocus.current) return;
    hadFocus.current = false;
    const timer = setTimeout(() => { if (document.activeElement === document.body) button.current?.focus({ preventScroll: true }); });
    return () => clearTimeout(timer);
  }, [isHeld]);
  return (
    <Button {...rest} ref={button} type="submit" onPointerDown={holdPointer} isDisabled={!isReady || isOther} isLoading={isHeld}
      loadingText={<span>{isHeld && isAway ? waitingLabel : isFilled ? filledBusyLabel : busyLabel}</span>}>
      {/* In elements, which stay when a translator replaces the text in them. */}
      <span>{isFilled ? filledLabel : label}</span>
    </Button>
  );
}

/** A button that submits its form for `purpose`, which unsaved.jsx does; it waits for the connection if it was pressed. */
export function PurposeButton({purpose, waitingLabel, children, ...rest}) {
  const button = useRef(null);
  const [held, isAway] = useWaiting(button);
  return (
    <Button {...rest} ref={button} type="button" data-then={purpose} isDisabled={held !== undefined}
      isLoading={isAway && held === purpose} loadingText={<span>{waitingLabel}</span>}>
      {children}
    </Button>
  );
}

// For what the button's form waits for the connection, if it does, and whether the connection is shown as lost.
function useWaiting(button) {
  const { status, held } = useConnection();
  return [held[button.current?.form?.id], status === "lost"];
}
