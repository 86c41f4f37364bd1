// @ts-check
// The button that sends a form of a public page, and makes sure that it arrives; see sitekit/ui/public/delivery.py.
import { useEffect, useRef, useState } from "react";
import { holdPointer } from "./pointer.js";

// In ms: for the connection to open and the server to accept the form; for it to finish; before the server is pinged;
// for the answer to the ping.
const ACCEPT = 4000;
const FINISH = 15000;
const PING_AFTER = 1000;
const ANSWER = 1500;
const MOST_BYTES = 3 * 64 * 1024; // MAX_BYTES of sitekit/server/http/form_posts.py

async function isReachable(address) {
  try {
    // OPTIONS, because a shared cache may answer HEAD while the server is down.
    /** @type {RequestInit} */
    const options = { method: "OPTIONS", cache: "no-store", signal: AbortSignal.timeout(ANSWER) };
    return (await fetch(address, options)).status < 500;
  } catch {
    return false;
  }
}

/** The complaints about fields that are empty or have a malformed value, by name. */
function wrongIn(form, complaints) {
  const fields = [...form.elements].filter(({ name }) => name in complaints);
  const wrong = fields.filter(({ value, validity }) => !value.trim() || !validity.valid);
  return Object.fromEntries(wrong.map(({ name, value }) => [name, complaints[name][value.trim() ? "malformed" : "missing"]]));
}

function post(address, fields) {
  const copy = document.createElement("form");
  Object.assign(copy, { method: "post", action: address, hidden: true });
  for (const [name, value] of fields) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    copy.append(field);
  }
  document.body.append(copy);
  copy.submit();
}

export function SendButton(props) {
  const { isBusy, answers, label, busyLabel, waitingLabel, ...others } = props;
  const { unreachable, complaints, incomplete, notSent, tooLong, ...rest } = others;
  const button = useRef(null);
  const word = useRef(null);
  const sent = useRef(null);
  const [waits, setWaits] = useState(false);
  const [trouble, setTrouble] = useState("");
  const isAway = trouble === unreachable;
  const forget = (sentence) => setTrouble((before) => before === sentence ? "" : before);
  useEffect(() => {
    const { form } = button.current;
    const onSubmit = (event) => {
      const fields = [...new FormData(form)];
      const isPosted = new URLSearchParams(/** @type {string[][]} */ (fields)).toString().length <= MOST_BYTES;
      setTrouble(isPosted ? "" : tooLong);
      setWaits(isPosted);
      if (isPosted) sent.current = { address: form.action, fields };
      else {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
    const onReturn = (event) => { if (event.persisted) setWaits(false); };
    const onInput = () => forget(incomplete);
    form.addEventListener("submit", onSubmit);
    form.addEventListener("input", onInput);
    addEventListener("pageshow", onReturn);
    return () => {
      form.removeEventListener("submit", onSubmit);
      form.removeEventListener("input", onInput);
      removeEventListener("pageshow", onReturn);
    };
  }, []);
  useEffect(() => {
    setWaits(false);
    forget(incomplete);
  }, [answers]);
  useEffect(() => {
    if (!waits || isBusy) forget(unreachable);
    if (!waits) return;
    let timer, isOver = false;
    const wait = (time, next) => { timer = setTimeout(next, time); };
    const ping = async (next) => {
      const reachable = await isReachable(sent.current.address);
      if (isOver) return;
      // What the server would refuse does not wait for it.
      const { form } = button.current;
      const wrong = reachable ? {} : wrongIn(form, complaints);
      const isIncomplete = Object.keys(wrong).length > 0;
      setTrouble(reachable ? "" : isIncomplete ? incomplete : unreachable);
      if (!reachable) form.dispatchEvent(new CustomEvent("complained", { bubbles: true, detail: wrong }));
      if (isIncomplete) setWaits(false);
      else next(reachable);
    };
    const deliver = () => ping((reachable) => {
      if (reachable) post(sent.current.address, sent.current.fields);
      else wait(ACCEPT, deliver);
    });
    if (isBusy) wait(FINISH, deliver);
    else wait(PING_AFTER, () => ping(() => wait(ACCEPT - PING_AFTER, deliver)));
    return () => { isOver = true; clearTimeout(timer); };
  }, [waits, isBusy]);
  // The page's first script shows it too, before this component is loaded.
  useEffect(() => {
    word.current.hidden = !trouble;
    if (trouble) word.current.scrollIntoView({ block: "nearest" });
  }, [trouble]);
  const isHeld = isBusy || waits;
  // What is sent is what was there when the button was pressed.
  useEffect(() => {
    for (const field of button.current.form.elements) Object.assign(field, { readOnly: isHeld });
  }, [isHeld]);
  return (
    <>
      <button {...rest} ref={button} type="submit" disabled={isHeld} onPointerDown={holdPointer}>
        {isAway ? waitingLabel : isHeld ? busyLabel : label}
      </button>
      <p ref={word} className="notice notice-error notice-inline" role="alert" data-unreachable="" hidden>
        {trouble || notSent}
      </p>
    </>
  );
}
