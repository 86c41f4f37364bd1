// @ts-check
// A text in Markdown with what visitors will see beside it; see sitekit/admin/markdown_field.py.
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "./controls.jsx";
import { markdownOf } from "./pasted_markdown.js";
import { PicturePicker } from "./picture_picker.jsx";
import { onConnection } from "$/framework/live_socket.js";

const PAUSE = 300; // milliseconds without a key
const MOST = 40_000; // the preview shows 20,000 characters, of up to two code units each

/** Put a picture into a text, in a line of its own after the one of the cursor; returns where its description begins. */
function insertPicture(area, address) {
  const { value, selectionEnd } = area;
  const end = value.indexOf("\n", selectionEnd);
  const at = end < 0 ? value.length : end;
  const before = value.slice(0, at).trim() ? "\n\n" : "";
  const after = /^\n?$|^\n\n/.test(value.slice(at)) ? "" : "\n";
  const line = `${before}![](${address})${after}`;
  area.focus({ preventScroll: true });
  area.setSelectionRange(at, at);
  // Not `setRangeText` where it can be helped: no key takes it back.
  if (document.activeElement !== area || !document.execCommand("insertText", false, line)) {
    area.setRangeText(line, at, at, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return at + before.length + 2;
}

/** The pictures of the library that a search finds, each a button. */
function Library({ id, name, label, found, says, onSearch, onChosen, onClosed }) {
  const search = useRef(null);
  const timer = useRef(0);
  useEffect(() => {
    search.current.focus();
    onSearch(name, "");
    return () => clearTimeout(timer.current);
  }, []);
  const typed = ({ target }) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onSearch(name, target.value), PAUSE);
  };
  const pressed = (event) => {
    if (event.key === "Escape") onClosed();
    // The form is not to be sent.
    else if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    event.stopPropagation();
  };
  const rows = found.name === name ? found.rows : null;
  return (
    <section id={id} aria-label={label} className="markdown-library" onKeyDown={pressed}>
      <input ref={search} type="search" aria-label={says.search} placeholder={says.search} onChange={typed} />
      <p role="status">{rows && !rows.length ? says.nothing : ""}</p>
      <ul className="picture-others">
        {rows?.map((row) => (
          <li key={row.id}>
            <button type="button" onClick={() => onChosen(row.address)}>
              <img src={row.thumbnail} alt="" loading="lazy" className="picture-thumbnail" />
              {row.alt || row.name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Besides its own props, it has those of its picker. */
export function MarkdownInput({ name, label, shown, found, look, says, onAsk, onSearch, children, ...picker }) {
  const root = useRef(null);
  const button = useRef(null);
  const library = useId();
  const hasTyped = useRef(false); // since a picture was brought
  const [hasTable, setHasTable] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const ask = useRef(onAsk);
  useEffect(() => { ask.current = onAsk; });
  const area = () => root.current.querySelector("textarea");
  useEffect(() => {
    const text = area();
    let timer;
    const tell = () => ask.current(name, text.value.slice(0, MOST));
    const changed = () => { hasTyped.current = true; clearTimeout(timer); timer = setTimeout(tell, PAUSE); };
    const paste = (event) => {
      const html = event.clipboardData?.getData("text/html");
      const body = html && new DOMParser().parseFromString(html, "text/html").body;
      const words = body && markdownOf(body);
      if (!words) return;
      event.preventDefault();
      // Not `setRangeText`, which no key takes back.
      document.execCommand("insertText", false, words);
      setHasTable(Boolean(body.querySelector("tr > :nth-child(2)")));
    };
    const brought = (event) => {
      hasTyped.current = false;
      if (event.type === "drop") text.focus({ preventScroll: true });
    };
    tell();
    const listeners = [
      [text, "input", changed],
      [text, "filled", changed],
      [text, "paste", paste],
      ...["paste", "drop", "change"].map((event) => [root.current, event, brought]),
    ];
    for (const [target, event, listener] of listeners) target.addEventListener(event, listener);
    const stopWatching = onConnection((what) => { if (what === "back") tell(); });
    return () => {
      clearTimeout(timer);
      for (const [target, event, listener] of listeners) target.removeEventListener(event, listener);
      stopWatching();
    };
  }, [name]);
  // The cursor goes between the brackets, unless somebody is writing meanwhile.
  const insert = (address) => {
    const [text, focused] = [area(), /** @type {HTMLElement} */ (document.activeElement)];
    const { selectionStart, selectionEnd } = text;
    const isWriting = hasTyped.current || !(root.current.contains(focused) || focused === document.body);
    const at = insertPicture(text, address);
    if (isWriting) text.setSelectionRange(selectionStart, selectionEnd);
    else text.setSelectionRange(at, at);
    if (isWriting) focused.focus({ preventScroll: true });
    hasTyped.current = isWriting;
  };
  const choose = (address) => {
    hasTyped.current = false;
    insert(address);
    setOpen(false);
  };
  const close = () => {
    setOpen(false);
    button.current.focus();
  };
  const html = shown.name === name ? shown.html : "";
  const insertLabel = `${says.insert}: ${label}`;
  return (
    <div ref={root} className="markdown-field">
      <div className="markdown-tools">
        <Button ref={button} type="button" variant="outline" aria-label={insertLabel} aria-expanded={isOpen} aria-controls={library}
          onClick={() => setOpen(!isOpen)}>
          {says.insert}
        </Button>
        <PicturePicker {.../** @type {any} */ (picker)} label={label} isMany onAdded={insert} />
      </div>
      {isOpen && <Library {...{ id: library, name, label: insertLabel, found, says, onSearch }} onChosen={choose} onClosed={close} />}
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section className="markdown-preview" aria-label={says.preview} tabIndex={0}>
        <p className="markdown-label" aria-hidden="true">{says.preview}</p>
        {hasTable && <p role="status">{says.table}</p>}
        {html ? <div className={`markdown-text ${look}`} dangerouslySetInnerHTML={{ __html: html }} /> : <p>{says.empty}</p>}
      </section>
    </div>
  );
}
