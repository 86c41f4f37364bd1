// Replies to an action; ui/notices.py says when and where.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "react-router";
// It has to be there before the first connection is made, and this is the one component around all pages.
import "./live_socket.js";

const STORED_AS = "notices";
const MOST = 3;
const NOTHING = [];

// The places that pages offer, in the order in which they came: {subject, holdsSuccess, element}; and what the browser
// says by itself.
let places = NOTHING;
let said = NOTHING;
const readers = new Set();
const tellReaders = () => readers.forEach((read) => read());
function subscribe(read) {
  readers.add(read);
  return () => readers.delete(read);
}
function change(next) {
  places = next;
  tellReaders();
}

/** Show an error that the server has not sent. */
export function sayError(text) {
  said = [...said.slice(1 - MOST), { id: `${Date.now()}-${text}`, kind: "error", text, subject: "", ms: 0 }];
  tellReaders();
}

// With a subject for the errors about it, and with `holdsSuccess` for all that is said about it; without a subject for
// whatever is said while it is there: so a dialog, behind which nothing is seen or heard, has its own.
export function NoticePlace({subject, holdsSuccess}) {
  const element = useRef(null);
  useEffect(() => {
    const place = {subject, holdsSuccess, element: element.current};
    change([...places, place]);
    return () => change(places.filter((one) => one !== place));
  }, [subject, holdsSuccess]);
  return <div className="notice-place" ref={element} />;
}

// Until when a notice is shown, by its id: a reload neither repeats a notice nor cuts it short.
function ends() {
  try { return JSON.parse(sessionStorage.getItem(STORED_AS)) || {}; } catch { return {}; }
}
function keepEnd(id, end) {
  const kept = Object.entries({...ends(), [id]: end}).slice(-20);
  try { sessionStorage.setItem(STORED_AS, JSON.stringify(Object.fromEntries(kept))); } catch {}
}

function withNotice(shown, notice) {
  const isAboutIt = (one) => notice.subject && one.subject === notice.subject;
  const isReplaced = (one) =>
    notice.text ? one.text === notice.text || isAboutIt(one) : isAboutIt(one) && one.kind === "error";
  const others = shown.filter((one) => !isReplaced(one));
  return notice.text ? [...others, notice].slice(-MOST) : others;
}

function Notice({notice, onGone}) {
  const [isHeld, setHeld] = useState(false);
  const gone = useRef(onGone);
  useEffect(() => { gone.current = onGone; });
  useEffect(() => {
    if (isHeld || !notice.end) return;
    const timer = setTimeout(() => gone.current(), Math.max(0, notice.end - Date.now()));
    return () => clearTimeout(timer);
  }, [isHeld, notice.end]);
  const hold = {
    onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false),
    onFocus: () => setHeld(true), onBlur: () => setHeld(false),
  };
  return (
    <div className={"notice notice-" + notice.kind} role={notice.kind === "error" ? "alert" : "status"} {...hold}>
      <p>{notice.text}</p>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={onGone}>
        <svg className="icon icon-small" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
      </button>
    </div>
  );
}

export function Notices({items}) {
  const [shown, setShown] = useState([]);
  const offered = useSyncExternalStore(subscribe, () => places, () => NOTHING);
  const own = useSyncExternalStore(subscribe, () => said, () => NOTHING);
  useEffect(() => {
    const known = ends();
    const fresh = [...(items ?? []), ...own].filter((item) => !(item.id in known) || known[item.id] > Date.now());
    for (const item of fresh) {
      // An error has no end of its own; what has been seen of it is not shown again after a reload.
      const end = known[item.id] ?? (item.ms ? Date.now() + item.ms : 0);
      keepEnd(item.id, end);
      setShown((before) => before.some((one) => one.id === item.id) ? before : withNotice(before, {...item, end}));
    }
  }, [items, own]);
  const dismiss = (id) => {
    keepEnd(id, 0);
    setShown((before) => before.filter((one) => one.id !== id));
  };
  const holds = (place, {kind, subject}) => place.subject === subject && (kind === "error" || place.holdsSuccess);
  const formOf = (notice) => (notice.subject ? offered.find((place) => holds(place, notice)) : undefined);
  const placeOf = (notice) => formOf(notice) ?? offered.findLast((place) => !place.subject);
  // An error goes with the form it stands in: when the page is left, and not when the form is only drawn anew.
  const { key } = useLocation();
  const isInForm = useRef(() => false);
  useEffect(() => { isInForm.current = (one) => one.kind === "error" && formOf(one) !== undefined; });
  useEffect(() => { setShown((before) => before.filter((one) => !isInForm.current(one))); }, [key]);
  const standing = (place) => shown.filter((one) => placeOf(one) === place)
    .map((one) => <Notice key={one.id} notice={one} onGone={() => dismiss(one.id)} />);
  return (
    <>
      <div className="notices" aria-live="polite">{standing(undefined)}</div>
      {offered.map((place, number) =>
        createPortal(<div className="notice-list" aria-live="polite">{standing(place)}</div>, place.element, number))}
    </>
  );
}
