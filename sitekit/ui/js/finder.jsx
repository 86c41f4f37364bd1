// @ts-check
// The finder: a field in the header that opens a dialog, as Ctrl or Cmd+K does; see sitekit/admin/finder/state.py.
import { useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useIsHydrated } from "./address.js";
import { ConnectionPlace } from "./connection_bar.jsx";
import { Button } from "./controls.jsx";
import { Icon } from "./icon.jsx";
import { isCommand, isComposing } from "./keyboard.js";
import { useChakra } from "./later.jsx";
import { onConnection } from "$/framework/live_socket.js";

const PAUSE = 80; // milliseconds without a key
const MOST = 8;
const GLASS = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.3 15.3 20.5 20.5";
const CROSS = "M6 6l12 12M18 6 6 18";

let last = 0; // the number of the newest query; no time, which the server would refuse as larger than any number it has

// The browser keeps which records its user opened last, as "articles.3"; their names come from the server.
let noted = "";

function openedBefore(user) {
  try {
    const records = JSON.parse(localStorage.getItem(`opened:${user}`));
    return Array.isArray(records) ? records.filter((one) => typeof one === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function noteOpened(user, record) {
  if (!user || !record || record === noted) return;
  noted = record;
  const records = [record, ...openedBefore(user).filter((one) => one !== record)];
  localStorage.setItem(`opened:${user}`, JSON.stringify(records.slice(0, MOST)));
}

export function Finder({ user, opened, hits, number, hasFailed, texts, onFind, onSignOut }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => noteOpened(user, opened), [user, opened]);
  useEffect(() => {
    const jump = (event) => {
      if (!isCommand(event, "k")) return;
      event.preventDefault();
      if (!event.repeat) setOpen((was) => !was);
    };
    window.addEventListener("keydown", jump);
    return () => window.removeEventListener("keydown", jump);
  }, []);
  const isApple = useIsHydrated() && /Mac|iP/.test(navigator.platform);
  const chakra = useChakra(isOpen);
  const search = { chakra, user, hits, number, hasFailed, texts, onFind, onSignOut };
  return (
    <>
      <button type="button" className="finder-button" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}>
        <Icon path={GLASS} />
        <span className="finder-label">{texts.field}</span>
        <span className="finder-key" aria-hidden="true"><kbd>{isApple ? "⌘K" : "Ctrl K"}</kbd></span>
      </button>
      {isOpen && chakra && <Search {...search} onClose={() => setOpen(false)} />}
    </>
  );
}

function Search({ chakra: { Modal, ModalContent, ModalOverlay }, user, hits, number, hasFailed, texts, onFind, onSignOut, onClose }) {
  const navigate = useNavigate();
  const list = useId();
  // Not left to Chakra, which passes over a heading.
  const before = useRef(document.activeElement);
  const input = useRef(null);
  const timer = useRef(null);
  const first = useRef(Math.max(last, number) + 1);
  const isEntered = useRef(false); // Enter was pressed before the answer came
  const [text, setText] = useState("");
  const [asked, setAsked] = useState(null); // the number of the query for the present text
  const [index, setIndex] = useState(0);
  const isAnswered = number === asked;
  // Until the answer to the first query comes, the hits are those of an earlier search.
  const shown = number >= first.current ? hits : [];
  const ask = (typed) => {
    clearTimeout(timer.current);
    last = Math.max(last, number) + 1;
    setAsked(last);
    onFind(last, typed, typed.trim() ? [] : openedBefore(user));
  };
  const type = (event) => {
    const typed = event.target.value;
    isEntered.current = false;
    setText(typed);
    setAsked(null);
    clearTimeout(timer.current);
    if (!isComposing(event)) timer.current = setTimeout(() => ask(typed), PAUSE);
  };
  const go = (hit, event) => {
    if (!hit) return;
    if (hit.href && event && (event.ctrlKey || event.metaKey)) { window.open(hit.href, "_blank", "noopener"); return; }
    onClose();
    if (hit.href) navigate(hit.href); else onSignOut();
  };
  useEffect(() => { ask(""); return () => clearTimeout(timer.current); }, []);
  const askAgain = useRef(null);
  useEffect(() => { askAgain.current = () => { if (!isAnswered) ask(text); }; });
  // What was asked without a connection did not arrive.
  useEffect(() => onConnection((what) => { if (what === "back") askAgain.current(); }), []);
  useEffect(() => { setIndex(0); }, [number]);
  useEffect(() => {
    if (!isAnswered || !isEntered.current) return;
    isEntered.current = false;
    go(hits[0]);
  });
  useEffect(() => {
    document.getElementById(`${list}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) {
      event.preventDefault();
      setIndex((index + step + shown.length) % shown.length);
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (isAnswered) { go(shown[index], event); return; }
    isEntered.current = true;
    if (asked === null) ask(text);
  };
  const count = shown.length === 1 ? texts.one : texts.several.replace("{count}", shown.length);
  const none = hasFailed ? texts.failed : isAnswered && !shown.length && text.trim() ? texts.none.replace("{text}", text.trim()) : "";
  // The stylesheet keeps the page behind from scrolling: Chakra would add a style element, which the CSP blocks.
  const manner = { motionPreset: "none", scrollBehavior: "inside", blockScrollOnMount: false };
  return (
    <Modal isOpen onClose={onClose} initialFocusRef={input} finalFocusRef={before} {...manner}>
      <ModalOverlay className="backoffice-overlay" />
      <ModalContent className="finder" aria-label={texts.field}>
        <div className="finder-field">
          <Icon path={GLASS} />
          <input ref={input} type="text" role="combobox" aria-expanded={shown.length > 0} aria-controls={list}
            aria-autocomplete="list" aria-activedescendant={shown[index] && `${list}-${index}`} aria-label={texts.hint}
            autoComplete="off" spellCheck="false" enterKeyHint="go" maxLength={200} placeholder={texts.hint} value={text}
            onChange={type} onCompositionEnd={type} onKeyDown={keys} />
          <Button className="finder-close" aria-label={texts.leave} variant="ghost" isSquare onClick={onClose}>
            <Icon path={CROSS} />
          </Button>
        </div>
        <ConnectionPlace />
        <p role="status" className={none ? "finder-none" : "visually-hidden"}>{none || (isAnswered && text ? count : "")}</p>
        <div id={list} role="listbox" aria-label={texts.results} className="finder-hits">
          {shown.map((hit, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose a hit
            <div key={`${hit.title} ${hit.href}`} id={`${list}-${i}`} role="option" aria-selected={i === index} tabIndex={-1}
              onMouseMove={() => setIndex(i)} onClick={(event) => go(hit, event)}>
              <span className="finder-name">{hit.name}</span>
              {hit.note && <span className="finder-note">{hit.note}</span>}
              <span className="finder-kind">{hit.title}</span>
            </div>
          ))}
        </div>
        <p className="finder-keys" aria-hidden="true">
          <span><kbd>↑</kbd><kbd>↓</kbd>{texts.move}</span>
          <span><kbd>↵</kbd>{texts.open}</span>
          <span><kbd>Esc</kbd>{texts.close}</span>
        </p>
      </ModalContent>
    </Modal>
  );
}
