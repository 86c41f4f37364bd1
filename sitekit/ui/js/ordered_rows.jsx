// @ts-check
// Rows (elements with `data-row`) that are put in order by dragging a `.row-handle`, or by Alt+Up and Alt+Down on it; see
// sitekit/admin/components/ordered_rows.py.
import { useEffect, useRef, useState } from "react";

const EDGE = 64; // pixels from the edge of the window where it scrolls
const PACE = 12;

export function OrderedRows({ words, onPlace, children }) {
  const root = useRef(null);
  const placed = useRef(null); // the row that keys moved, whose handle keeps the focus
  const [announcement, setAnnouncement] = useState("");
  const rows = () => [...root.current.querySelectorAll("[data-row]")];
  const place = (row, beside, isAfter) => onPlace(Number(row.dataset.row), Number(beside.dataset.row), isAfter);

  useEffect(() => {
    if (!placed.current) return;
    const handle = root.current.querySelector(`[data-row="${placed.current}"] .row-handle`);
    if (!handle || handle === document.activeElement) return;
    handle.focus({ preventScroll: true });
    handle.scrollIntoView({ block: "nearest" });
  });

  const keys = (event) => {
    const handle = event.target.closest(".row-handle");
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!handle || !by || !event.altKey) return;
    event.preventDefault();
    const row = handle.closest("[data-row]");
    const all = rows();
    const beside = all[all.indexOf(row) + by];
    setAnnouncement(beside ? "" : words[by < 0 ? "first" : "last"]);
    if (!beside) return;
    placed.current = row.dataset.row;
    place(row, beside, by > 0);
  };

  const drag = (event) => {
    const handle = event.target.closest(".row-handle");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    placed.current = null;
    const row = handle.closest("[data-row]");
    let target = null;
    let at = { x: event.clientX, y: event.clientY };
    let frame = 0;
    handle.setPointerCapture(event.pointerId);
    row.dataset.isDragged = "true";
    const unmark = () => { if (target) delete target.element.dataset.drop; };
    const aim = () => {
      unmark();
      const under = document.elementsFromPoint(at.x, at.y).find((one) => root.current.contains(one) && one.closest("[data-row]"));
      const element = /** @type {HTMLElement | null} */ (under?.closest("[data-row]"));
      target = null;
      if (!element || element === row) return;
      const all = rows();
      const isAfter = all.indexOf(element) > all.indexOf(row);
      target = { element, isAfter };
      element.dataset.drop = isAfter ? "after" : "before";
    };
    const scroll = () => {
      const by = at.y < EDGE ? -PACE : at.y > window.innerHeight - EDGE ? PACE : 0;
      if (by) { window.scrollBy(0, by); aim(); }
      frame = requestAnimationFrame(scroll);
    };
    frame = requestAnimationFrame(scroll);
    const move = (moved) => { at = { x: moved.clientX, y: moved.clientY }; aim(); };
    const end = (ended) => {
      cancelAnimationFrame(frame);
      delete row.dataset.isDragged;
      unmark();
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", cancel, true);
      if (ended.type === "pointerup" && target) place(row, target.element, target.isAfter);
    };
    const cancel = (pressed) => { if (pressed.key === "Escape") { target = null; unmark(); end(pressed); } };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
    window.addEventListener("keydown", cancel, true);
  };

  const handlers = useRef({ keydown: keys, pointerdown: drag });
  handlers.current = { keydown: keys, pointerdown: drag };
  useEffect(() => {
    const here = root.current;
    const listeners = {
      keydown: (event) => handlers.current.keydown(event),
      pointerdown: (event) => handlers.current.pointerdown(event),
      focusin: (event) => { if (!event.target.closest(".row-handle")) placed.current = null; },
    };
    for (const [name, listener] of Object.entries(listeners)) here.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) here.removeEventListener(name, listener);
    };
  }, []);

  return (
    <div ref={root}>
      {children}
      <p className="visually-hidden" role="status">{announcement}</p>
    </div>
  );
}
