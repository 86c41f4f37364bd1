// @ts-check
// The rows of a repeating group: added, moved, collapsed, removed and taken back; see sitekit/admin/components/repeating_group.py.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "./controls.jsx";
import { useChange } from "./change.js";
import { useDragOrder } from "./drag_order.js";
import { Icon } from "./icon.jsx";
import { isTypedIn } from "./keyboard.js";
import { useMarkedNames } from "./marks.jsx";
import { withMoved } from "./order.js";

const UP = "M12 19V5M6 11l6-6 6 6";
const DOWN = "M12 5v14M6 13l6 6 6-6";
const CLOSE = "m6 6 12 12M18 6 6 18";
const PLUS = "M12 5v14M5 12h14";
const CHEVRON = "m9 6 6 6-6 6";
const GRIP = "M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01";
// A stored group with this many rows is collapsed at first.
const MANY = 3;
const SUMMARY_TEXTS = 3;

const controlsOf = (element) => [...element.querySelectorAll("input, textarea, select")];
const textsOf = (element) => Object.fromEntries(controlsOf(element).map(({ name, value }) => [name, value]));
const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

function summaryOf(element) {
  const texts = controlsOf(element).map(({ value }) => value.replace(/\s+/g, " ").trim());
  return texts.filter(Boolean).slice(0, SUMMARY_TEXTS).join(" · ");
}

/** @typedef {{ title: string, texts: Record<string, string> }} Removed */

function IconButton({ path, label, isOff = false, onPress }) {
  return (
    <button type="button" className="entry-button" aria-label={label} title={label} aria-disabled={isOff}
      onClick={() => isOff || onPress()}>
      <Icon path={path} />
    </button>
  );
}

function Row({ rowKey, title, place, count, canRemove, isOpen, isDragged, shift, texts, words, actions, children }) {
  const id = useId();
  const body = useRef(null);
  const [summary, setSummary] = useState("");
  const name = title[0].toLowerCase() + title.slice(1);
  const fill = (text) => filled(text, { row: name });
  useLayoutEffect(() => {
    for (const field of controlsOf(body.current)) {
      if (!(field.name in texts)) continue;
      field.value = texts[field.name];
      field.dispatchEvent(new Event("filled"));
    }
  }, [texts]);
  useLayoutEffect(() => {
    if (!isOpen) setSummary(summaryOf(body.current));
  }, [isOpen, texts]);
  const keys = (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // In a text, a Mac moves the cursor with these keys; on a list, they open it.
    if (isTypedIn(event.target)) return;
    event.preventDefault();
    actions.move(by);
  };
  const style = shift ? { transform: `translateY(${shift}px)` } : undefined;
  return (
    <fieldset className="entry" data-key={rowKey} data-is-dragged={isDragged} style={style} onKeyDown={keys}>
      <legend className="visually-hidden">{title}</legend>
      <div className="entry-bar">
        {count > 1 && (
          <span className="entry-handle" title={fill(words.drag)} onPointerDown={actions.drag}>
            <Icon path={GRIP} />
          </span>
        )}
        <button type="button" className="entry-toggle" aria-expanded={isOpen} aria-controls={id} onClick={actions.toggle}>
          <Icon path={CHEVRON} />
          <span className="entry-title">{title}</span>
          {!isOpen && <span className="entry-summary">{summary || words.empty}</span>}
        </button>
        {count > 1 && (
          <IconButton path={UP} label={fill(words.up)} isOff={place === 1} onPress={() => actions.move(-1)} />
        )}
        {count > 1 && (
          <IconButton path={DOWN} label={fill(words.down)} isOff={place === count} onPress={() => actions.move(1)} />
        )}
        {canRemove && (
          <IconButton path={CLOSE} label={fill(words.remove)} onPress={() => actions.remove(body.current)} />
        )}
      </div>
      <div ref={body} id={id} className="entry-body" hidden={!isOpen}>{children}</div>
    </fieldset>
  );
}

export function RepeatingRows({ group, label, addLabel, atLeast, isRestored, saves, words, onAdd, onRemove, children }) {
  const root = useRef(null);
  const afterRender = useRef(null); // what to do after the next render
  const given = new Map([children].flat(Infinity).filter(Boolean).map((row) => [String(row.key), row]));
  const [order, setOrder] = useState([]); // keys after the last move; rows added since follow
  const [removed, setRemoved] = useState(/** @type {Record<string, Removed>} */ ({})); // by key: the title that the row had, and its texts
  const [gone, setGone] = useState([]); // removed by a save, and still sent by the server
  const [texts, setTexts] = useState({}); // by key: the texts of a row that was taken back
  const [collapsed, setCollapsed] = useState(() => (isRestored || given.size < MANY ? [] : [...given.keys()]));
  const [announcement, setAnnouncement] = useState("");
  const marked = useMarkedNames();

  const all = [...order.filter((key) => given.has(key)), ...[...given.keys()].filter((key) => !order.includes(key))];
  const keys = all.filter((key) => !gone.includes(key)); // with the places of removed rows
  const shown = keys.filter((key) => !(key in removed));
  const isWrong = (key) => marked.some((name) => name.startsWith(`${group}.${key}.`));
  const titleOf = (key) => `${label} ${shown.indexOf(key) + 1}`;
  const elements = () => [...root.current.querySelectorAll(":scope > .entry")];
  const elementOf = (key) => root.current.querySelector(`:scope > [data-key="${key}"]`);

  const put = (key, place) => {
    setOrder(withMoved(keys, shown, key, place));
    setAnnouncement(filled(words.moved, { row: titleOf(key), place: place + 1, count: shown.length }));
    afterRender.current = () => reveal(elementOf(key));
  };
  const move = (key, by) => {
    const place = shown.indexOf(key) + by;
    if (shown[place] !== undefined) put(key, place);
    else setAnnouncement(filled(by < 0 ? words.first : words.last, { row: titleOf(key) }));
  };
  const drag = useDragOrder({ elements, onDrop: (from, to) => put(shown[from], to) });
  const isOpen = (key) => !drag.isDragging && (!collapsed.includes(key) || isWrong(key));
  const toggle = (key) =>
    setCollapsed((before) => (before.includes(key) ? before.filter((one) => one !== key) : [...before, key]));
  const remove = (key, body) => {
    setRemoved({ ...removed, [key]: { title: titleOf(key), texts: textsOf(body) } });
    setAnnouncement(filled(words.removed, { row: titleOf(key) }));
    afterRender.current = () => root.current.querySelector(`[data-undo="${key}"]`)?.focus();
  };
  const takeBack = (/** @type {string} */ key) => {
    const { [key]: { texts: typed }, ...rest } = removed;
    setRemoved(rest);
    setTexts({ ...texts, [key]: typed });
    setAnnouncement("");
    afterRender.current = () => elementOf(key)?.querySelector(".entry-toggle").focus();
  };

  useEffect(() => {
    const act = afterRender.current;
    afterRender.current = null;
    act?.();
  });
  const isAdding = useRef(false);
  const known = useRef(keys);
  useEffect(() => {
    const added = shown.filter((key) => !known.current.includes(key)).at(-1);
    known.current = keys;
    if (!added || !isAdding.current) return;
    isAdding.current = false;
    const element = elementOf(added);
    element.querySelector(".entry-body").querySelector("input, textarea, select")?.focus({ preventScroll: true });
    reveal(element);
  });
  // Notifies the rest of the form, as typing does.
  useChange(shown.join(), () => root.current.dispatchEvent(new Event("input", { bubbles: true })));
  // A row with an error is expanded, and stays so when the error is corrected.
  const wrong = collapsed.filter(isWrong);
  useEffect(() => {
    if (wrong.length) setCollapsed((before) => before.filter((key) => !wrong.includes(key)));
  }, [wrong.join()]);
  useChange(saves, () => {
    const keysRemoved = Object.keys(removed);
    setGone([...gone.filter((key) => given.has(key)), ...keysRemoved]);
    setRemoved({});
    for (const key of keysRemoved) onRemove(Number(key));
  });

  const add = () => {
    isAdding.current = true;
    onAdd();
  };
  const isAllOpen = shown.every(isOpen);
  return (
    <div ref={root} className="entries" data-is-dragging={drag.isDragging}>
      {keys.map((key) => key in removed ? (
        <div key={key} className="entry-removed">
          <span>{filled(words.removed, { row: removed[key].title })}</span>
          <button type="button" className="entry-undo" data-undo={key} onClick={() => takeBack(key)}>{words.undo}</button>
        </div>
      ) : (
        <Row key={key} rowKey={key} title={titleOf(key)} place={shown.indexOf(key) + 1} count={shown.length}
          isOpen={isOpen(key)} canRemove={shown.length > atLeast} texts={texts[key] ?? NONE} words={words}
          isDragged={drag.isDragged(shown.indexOf(key))} shift={drag.shiftOf(shown.indexOf(key))}
          actions={{
            move: (by) => move(key, by),
            toggle: () => toggle(key),
            remove: (body) => remove(key, body),
            drag: (event) => drag.start(event, shown.indexOf(key)),
          }}>
          {given.get(key)}
        </Row>
      ))}
      <p className="visually-hidden" role="status">{announcement}</p>
      <div className="entries-foot">
        <Button type="button" variant="outline" size="sm" onClick={add}><Icon path={PLUS} />{addLabel}</Button>
        {shown.length > 1 && (
          <button type="button" className="entries-toggle" onClick={() => setCollapsed(isAllOpen ? shown : [])}>
            {isAllOpen ? words.collapseAll : words.expandAll}
          </button>
        )}
      </div>
    </div>
  );
}

const NONE = {};

// Scrolls as little as is needed; the margins of the stylesheet keep clear of the header and the form's foot.
function reveal(element) {
  element.scrollIntoView({ block: "nearest" });
  const field = document.activeElement;
  if (element.contains(field)) field.scrollIntoView({ block: "nearest" });
}
