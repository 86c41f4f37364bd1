// @ts-check
// A text in Markdown with what visitors will see beside it; see sitekit/admin/markdown_field.py.
import { useEffect, useRef, useState } from "react";
import { markdownOf } from "./pasted_markdown.js";
import { onConnection } from "$/framework/live_socket.js";

const PAUSE = 300; // milliseconds without a key
const MOST = 40_000; // the preview shows 20,000 characters, of up to two code units each

export function MarkdownInput({ name, shown, look, label, empty, table, onAsk, children }) {
  const root = useRef(null);
  const [hasTable, setHasTable] = useState(false);
  const ask = useRef(onAsk);
  useEffect(() => { ask.current = onAsk; });
  useEffect(() => {
    const area = root.current.querySelector("textarea");
    let timer;
    const tell = () => ask.current(name, area.value.slice(0, MOST));
    const changed = () => { clearTimeout(timer); timer = setTimeout(tell, PAUSE); };
    const paste = (event) => {
      const html = event.clipboardData?.getData("text/html");
      const body = html && new DOMParser().parseFromString(html, "text/html").body;
      const text = body && markdownOf(body);
      if (!text) return;
      event.preventDefault();
      // Not `setRangeText`, which no key takes back.
      document.execCommand("insertText", false, text);
      setHasTable(Boolean(body.querySelector("tr > :nth-child(2)")));
    };
    tell();
    const events = ["input", "filled"];
    for (const event of events) area.addEventListener(event, changed);
    area.addEventListener("paste", paste);
    const stopWatching = onConnection((what) => { if (what === "back") tell(); });
    return () => {
      clearTimeout(timer);
      for (const event of events) area.removeEventListener(event, changed);
      area.removeEventListener("paste", paste);
      stopWatching();
    };
  }, [name]);
  const html = shown.name === name ? shown.html : "";
  return (
    <div ref={root} className="markdown-field">
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section className="markdown-preview" aria-label={label} tabIndex={0}>
        <p className="markdown-label" aria-hidden="true">{label}</p>
        {hasTable && <p role="status">{table}</p>}
        {html ? <div className={`markdown-text ${look}`} dangerouslySetInnerHTML={{ __html: html }} /> : <p>{empty}</p>}
      </section>
    </div>
  );
}
