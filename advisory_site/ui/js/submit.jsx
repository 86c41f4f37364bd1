// The button that submits a form once; ui/backoffice/submit.py says when it can be pressed again.
import { useCallback, useEffect, useRef, useState } from "react";
import { Button, Spinner } from "@chakra-ui/react";
import { generateUUID } from "$/utils/state";
import { registerForm, useConnection } from "./connection.js";
import { holdPointer } from "./pointer.js";

// A server that has said nothing for so long has lost the submission; it may be sent again.
const MS_TO_TAKE_UP = 10000;

export function SubmitButton({answered, timesRefused, isBusy, label, busyLabel, waitingLabel, ...rest}) {
  const button = useRef(null);
  const [isWaiting, isAway] = useWaiting(button);
  const id = useRef(null);
  const last = useRef(answered);
  const pressed = useRef(false);
  const hadFocus = useRef(false);
  const [isSent, setSent] = useState(false);
  // Before, a press would make the browser itself send the form.
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
      // The values are read by the listener that comes next, and nobody else shall see the id among them.
      form.addEventListener("formdata", addId);
      setTimeout(() => form.removeEventListener("formdata", addId));
    };
    form.addEventListener("submit", submit);
    const forget = registerForm({
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
      forget();
      form.removeEventListener("submit", submit);
    };
  }, []);
  useEffect(() => {
    last.current = answered;
    if (answered && answered === id.current) renew();
  }, [answered, renew]);
  const seen = useRef(timesRefused);
  useEffect(() => {
    if (seen.current !== timesRefused) renew();
    seen.current = timesRefused;
  }, [timesRefused, renew]);
  useEffect(() => {
    if (!isSent || isBusy || isAway) return;
    const timer = setTimeout(release, MS_TO_TAKE_UP);
    return () => clearTimeout(timer);
  }, [isSent, isBusy, isAway, release]);

  const isHeld = isSent || isBusy || isWaiting;
  useEffect(() => {
    // A button that is disabled loses the focus, and who works with keys would begin at the top of the page again.
    if (isHeld || !hadFocus.current) return;
    hadFocus.current = false;
    const timer = setTimeout(() => { if (document.activeElement === document.body) button.current?.focus(); });
    return () => clearTimeout(timer);
  }, [isHeld]);
  const spinner = <Spinner label="" color="currentColor" width="1em" height="1em" />;
  return (
    <Button {...rest} ref={button} type="submit" onPointerDown={holdPointer} isDisabled={!isReady} isLoading={isHeld}
      spinner={spinner} loadingText={isHeld && isAway ? waitingLabel : busyLabel}>
      {label}
    </Button>
  );
}

// Whether the button's form waits for the connection, and whether that is said to be lost.
function useWaiting(button) {
  const { status, held } = useConnection();
  return [held.includes(button.current?.form?.id), status === "lost"];
}
