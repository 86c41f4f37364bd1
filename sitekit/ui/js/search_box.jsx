// @ts-check
// A field that searches while typing; see sitekit/admin/components/address.py.
import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { parameterOf, useAddress } from "./address.js";
import { useAddressChange } from "./address_change.js";
import { Button, Input } from "./controls.jsx";
import { Icon } from "./icon.jsx";
import { isComposing } from "./keyboard.js";
import { linkToOtherPage } from "./links.js";
import { areSingleKeysOn, isSingleKey } from "./shortcuts.js";

const PAUSE = 250; // milliseconds without a key
const GLASS = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.3 15.3 20.5 20.5";
const CROSS = "M6 6l12 12M18 6 6 18";

// The list has the query of its rows.
function isShown(search) {
  /** @type {HTMLElement | null} */
  const list = document.querySelector("[data-place]");
  const shown = new URLSearchParams(list?.dataset.place).get("search") ?? "";
  return list?.getAttribute("aria-busy") === "false" && shown === search.trim().replace(/\s+/g, " ");
}

function focusFirstRow() {
  /** @type {HTMLElement | null} */
  const row = document.querySelector("[data-row]");
  if (!row) return;
  /** @type {HTMLElement} */
  const target = row.querySelector("a.cell-title, .cell-title a") ?? row;
  if (target === row) row.tabIndex = -1;
  target.focus();
}

export function SearchBox({ label, clearLabel }) {
  const location = useAddress();
  const change = useAddressChange();
  const inAddress = parameterOf(location, "search");
  const [text, setText] = useState(inAddress);
  const timer = useRef(null);
  const sent = useRef([inAddress]);
  const here = useRef(location);
  const next = useRef(null);
  const box = useRef(null);
  const waiting = useRef(null);
  const { location: coming } = useNavigation();
  const [hasKey, setHasKey] = useState(false);
  useEffect(() => { here.current = location; next.current = coming; });
  useEffect(() => {
    // The address may change late, to a search that was sent before more was typed.
    const place = sent.current.indexOf(inAddress);
    sent.current = place < 0 ? [inAddress] : sent.current.slice(place);
    if (place >= 0) return;
    clearTimeout(timer.current);
    setText(inAddress);
  }, [inAddress]);
  // At once, because a slow machine draws so late that `useNavigation` tells of the link after the search was sent.
  useEffect(() => {
    const follow = (event) => { if (linkToOtherPage(event)) clearTimeout(timer.current); };
    window.addEventListener("click", follow, true);
    return () => window.removeEventListener("click", follow, true);
  }, []);
  useEffect(() => () => { clearTimeout(timer.current); waiting.current?.disconnect(); }, []);
  useEffect(() => {
    setHasKey(areSingleKeysOn());
    const jump = (event) => {
      if (!isSingleKey(event, "/")) return;
      event.preventDefault();
      box.current.focus();
      box.current.select();
    };
    window.addEventListener("keydown", jump);
    return () => window.removeEventListener("keydown", jump);
  }, []);
  const look = (wanted) => {
    clearTimeout(timer.current);
    const search = wanted.trim();
    // A link that was followed meanwhile leads to another page: stay on the way there.
    const isLeaving = (next.current ?? window.location).pathname !== here.current.pathname;
    if (isLeaving || search === sent.current.at(-1)) return;
    sent.current.push(search);
    change({ search });
  };
  const type = (event) => {
    const wanted = event.target.value;
    setText(wanted);
    waiting.current?.disconnect();
    clearTimeout(timer.current);
    if (!isComposing(event)) timer.current = setTimeout(() => look(wanted), PAUSE);
  };
  // Once the rows that are searched for have come, the focus goes to the first one.
  const goDown = () => {
    look(text);
    waiting.current?.disconnect();
    if (isShown(text)) { focusFirstRow(); return; }
    waiting.current = new MutationObserver(() => {
      if (!isShown(text)) return;
      waiting.current.disconnect();
      if (document.activeElement === box.current) focusFirstRow();
    });
    const attributeFilter = ["data-place", "aria-busy"];
    waiting.current.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter });
  };
  const clear = () => { setText(""); look(""); box.current?.focus(); };
  const keys = (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") { event.preventDefault(); goDown(); }
    if (event.key === "Escape" && text) { event.preventDefault(); clear(); }
  };
  return (
    <div className="input-group search-box">
      <span className="input-start"><Icon path={GLASS} /></span>
      <Input ref={box} type="text" role="searchbox" inputMode="search" enterKeyHint="search" maxLength={200}
        autoComplete="off" aria-label={label} aria-keyshortcuts={hasKey ? "/" : undefined} placeholder={label} value={text}
        onChange={type} onCompositionEnd={type} onKeyDown={keys} />
      {!text && hasKey && <span className="input-end search-key" aria-hidden="true"><kbd>/</kbd></span>}
      {text && (
        <span className="input-end">
          <Button aria-label={clearLabel} variant="ghost" size="sm" isSquare onClick={clear}><Icon path={CROSS} /></Button>
        </span>
      )}
    </div>
  );
}
