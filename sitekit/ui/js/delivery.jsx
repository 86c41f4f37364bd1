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
  const { isBusy, answers, label, busyLabel, waitingLabel, unreachable, notSent, tooLong, ...rest } = props;
  const button = useRef(null);
  const word = useRef(null);
  const sent = useRef(null);
  const [waits, setWaits] = useState(false);
  const [isAway, setAway] = useState(false);
  const [isTooLong, setTooLong] = useState(false);
  const trouble = isTooLong ? tooLong : isAway ? unreachable : "";
  useEffect(() => {
    const { form } = button.current;
    const onSubmit = (event) => {
      const fields = [...new FormData(form)];
      const isPosted = new URLSearchParams(/** @type {string[][]} */ (fields)).toString().length <= MOST_BYTES;
      setTooLong(!isPosted);
      setWaits(isPosted);
      if (isPosted) sent.current = { address: form.action, fields };
      else {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
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
    if (!waits || isBusy) setAway(false);
    if (!waits) return;
    let timer, isOver = false;
    const wait = (time, next) => { timer = setTimeout(next, time); };
    const ping = async (next) => {
      const reachable = await isReachable(sent.current.address);
      if (isOver) return;
      setAway(!reachable);
      next(reachable);
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
