// @ts-check
// Shows the replies to actions; see sitekit/ui/notices.py.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
// Imported here because it must be loaded before the first connection, and this component wraps all pages.
import "$/framework/live_socket.js";
import "./typed_early.js";
import { isCommand, isTypedIn } from "./keyboard.js";
import { ends, keepEnd, MOST, withNotice } from "./notice_list.js";

const NOTHING = [];

// The places of notices on the page, oldest first: {subject, holdsSuccess, element}; and the browser's own notices.
/** @import { Notice } from "./notice_list.js" */

let places = NOTHING;
let ownNotices = NOTHING;
const readers = new Set();
const notifyReaders = () => readers.forEach((read) => read());
function subscribe(read) {
  readers.add(read);
  return () => readers.delete(read);
}
function change(next) {
  places = next;
  notifyReaders();
}

/** Show an error that the server has not sent, until the next reply about its subject. */
export function showError(text, subject = "") {
  const notice = { id: `${Date.now()}-${text}`, level: "error", text, subject, isOwn: true, ms: 0 };
  ownNotices = [...ownNotices.slice(1 - MOST), notice];
  notifyReaders();
}

// A place with a subject shows the errors about it, and with `holdsSuccess` all notices about it. One without a subject
// shows all notices while it is mounted: a dialog has one, because what is behind it is hidden.
/** @param {{ subject?: string, holdsSuccess?: boolean }} props */
export function NoticePlace({subject, holdsSuccess}) {
  const element = useRef(null);
  useEffect(() => {
    const place = {subject, holdsSuccess, element: element.current};
    change([...places, place]);
    return () => change(places.filter((one) => one !== place));
  }, [subject, holdsSuccess]);
  return <div className="notice-place" ref={element} />;
}

function NoticeBox({notice, onGone, onUndo}) {
  const [isHeld, setHeld] = useState(false);
  const gone = useRef(onGone);
  useEffect(() => { gone.current = onGone; });
  const left = useRef(notice.end - Date.now());
  useEffect(() => {
    if (isHeld || !notice.end) return;
    const since = Date.now();
    const timer = setTimeout(() => gone.current(), Math.max(0, left.current));
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - since;
    };
  }, [isHeld, notice.end]);
  const hold = {
    onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false),
    onFocus: () => setHeld(true), onBlur: () => setHeld(false),
  };
  return (
    <div className={"notice notice-" + notice.level} role={notice.level === "error" ? "alert" : "status"} {...hold}>
      <p>{notice.text}{notice.mention && <small> {notice.mention}</small>}</p>
      {onUndo && notice.undo &&
        <button type="button" className="notice-undo" aria-keyshortcuts="Control+Z Meta+Z" onClick={onUndo}>
          Undo
        </button>}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={onGone}>
        <svg className="icon icon-small" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
      </button>
    </div>
  );
}

// What staff would miss: that they are signed in, and what they have typed.
const MISSED = /_session$|^draft:/;

export function Notices({items, onUndo, unstored}) {
  const [shown, setShown] = useState([]);
  const mounted = useSyncExternalStore(subscribe, () => places, () => NOTHING);
  const own = useSyncExternalStore(subscribe, () => ownNotices, () => NOTHING);
  useEffect(() => {
    const known = ends();
    const fresh = [...(items ?? []), ...own].filter((item) => !(item.id in known) || known[item.id] > Date.now());
    for (const item of fresh) {
      // An error stays until it is dismissed; one that was seen is not shown again after a reload.
      const end = known[item.id] ?? (item.ms ? Date.now() + item.ms : 0);
      keepEnd(item.id, end);
      setShown((before) => before.some((one) => one.id === item.id) ? before : withNotice(before, {...item, end}));
    }
  }, [items, own]);
  useEffect(() => {
    const tell = (event) => {
      if (!MISSED.test(/** @type {CustomEvent<string>} */ (event).detail)) return;
      document.removeEventListener("unstored", tell);
      showError(unstored);
    };
    document.addEventListener("unstored", tell);
    return () => document.removeEventListener("unstored", tell);
  }, []);
  const dismiss = (id) => {
    keepEnd(id, 0);
    setShown((before) => before.filter((one) => one.id !== id));
  };
  const undo = onUndo && ((notice) => {
    dismiss(notice.id);
    onUndo(notice.undo);
  });
  const undoNewest = useRef(/** @type {() => boolean} */ (() => false));
  useEffect(() => {
    undoNewest.current = () => {
      const newest = shown.findLast((one) => one.undo);
      if (newest) undo?.(newest);
      return Boolean(newest && undo);
    };
  });
  useEffect(() => {
    const pressed = (event) => {
      if (!isCommand(event, "z") || event.repeat || event.defaultPrevented || isTypedIn(event.target)) return;
      if (undoNewest.current()) event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  const holds = (place, {level, subject}) => place.subject === subject && (level === "error" || place.holdsSuccess);
  // An error of the browser is not of the fields, whose number may take its room beside the buttons.
  const formOf = (notice) => (notice.subject && !notice.isOwn ? mounted.find((place) => holds(place, notice)) : undefined);
  const placeOf = (notice) => formOf(notice) ?? mounted.findLast((place) => !place.subject);
  // When the page is left, the newest notice stays, because it may be about that; an error is removed with its form, but
  // not when the form is only remounted.
  const { key } = useLocation();
  const isInForm = useRef(/** @type {(notice: Notice) => boolean} */ (() => false));
  useEffect(() => { isInForm.current = (one) => one.level === "error" && formOf(one) !== undefined; });
  useEffect(() => {
    setShown((before) => {
      before.slice(0, -1).forEach((one) => keepEnd(one.id, 0));
      return before.slice(-1).filter((one) => !isInForm.current(one));
    });
  }, [key]);
  const noticesAt = (place) => shown.filter((one) => placeOf(one) === place).reverse()
    .map((one) => (
      <NoticeBox key={one.id} notice={one} onGone={() => dismiss(one.id)} onUndo={undo && (() => undo(one))} />
    ));
  return (
    <>
      <div className="notices" aria-live="polite">{noticesAt(undefined)}</div>
      {mounted.map((place, number) =>
        createPortal(<div className="notice-list" aria-live="polite">{noticesAt(place)}</div>, place.element, number))}
    </>
  );
}
