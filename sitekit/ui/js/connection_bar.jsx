// @ts-check
// Shows that the connection is lost, and that it is back; see sitekit/admin/components/browser.py.
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { subjectOfLarge, takeReports, useConnection } from "./connection.js";
import { connectNow } from "$/framework/live_socket.js";
import { showError } from "./notices.jsx";

let setPlace = (/** @type {Element | null} */ _) => {};

/** The place of the bar while this is mounted: the head of a dialog, which covers the head of the page. */
export function ConnectionPlace() {
  const element = useRef(null);
  useEffect(() => {
    setPlace(element.current);
    return () => setPlace(null);
  }, []);
  return <div ref={element} />;
}

export function ConnectionBar({lost, full, none, waiting, back, unsure, late, large, retry}) {
  const { status, isFull, isFirst, waits, reports } = useConnection();
  const [place, change] = useState(null);
  useEffect(() => { setPlace = change; }, []);
  useEffect(() => {
    const texts = { unsure, late, large };
    if (reports.length) takeReports().forEach((one) => showError(texts[one], one === "large" ? subjectOfLarge : ""));
  }, [reports, unsure, late, large]);
  const button = useRef(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // After a key press, the focus moves into the page, not to its beginning.
    if (status !== "lost" && hadFocus.current && document.activeElement === document.body)
      document.getElementById("content")?.focus();
    hadFocus.current = false;
  }, [status]);
  const retryNow = () => {
    hadFocus.current = document.activeElement === button.current;
    connectNow();
  };
  // A press by pointer leaves the focus where it is.
  const keepCursor = (event) => event.preventDefault();
  const bar = (
    <div className={"connection-bar" + (status && " connection-" + status)} role="status">
      {status === "lost" && <p>{isFull ? full : isFirst ? none : waits ? waiting : lost}</p>}
      {status === "lost" && (
        <button type="button" ref={button} onMouseDown={keepCursor} onClick={retryNow}>{retry}</button>
      )}
      {status === "back" && <p>{back}</p>}
    </div>
  );
  return place ? createPortal(bar, place) : bar;
}
