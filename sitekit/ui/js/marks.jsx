// @ts-check
// Which fields of a form are marked as wrong, with which message; see sitekit/ui/marks.py.
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useChange } from "./change.js";
import { isComposing } from "./keyboard.js";
import { onConnection } from "$/framework/live_socket.js";

const PAUSE = 300; // milliseconds without a key
const NOTHING = {};
const Marks = createContext(NOTHING);

// Each typed value gets a number, so that an answer about an older value is recognised.
let edits = 0;

/** The mark of one field: an `error`, or a `hint` that replaces the field's own. */
export function useMark(name) {
  return useContext(Marks)[name] ?? NOTHING;
}

/** The names of the fields that are marked as wrong. */
export function useMarkedNames() {
  const marks = useContext(Marks);
  return Object.keys(marks).filter((name) => marks[name].error);
}

function marksOf(errors) {
  const present = Object.entries(errors ?? {}).filter(([, error]) => error);
  return Object.fromEntries(present.map(([name, error]) => [name, { error }]));
}

// What the form sends of a field; nothing of a checkbox that is not ticked.
function sentOf(field) {
  return field && (field.type !== "checkbox" || field.checked) ? field.value : "";
}

// The label of a field, with the row of its group.
function labelOf(field) {
  const label = field.labels?.[0]?.firstChild?.textContent ?? field.name;
  const row = field.closest("fieldset")?.querySelector("legend")?.textContent;
  // The address of a picture is the picture.
  if (field.closest(".picture-field")?.querySelector("[name]") === field) return row;
  return row ? `${row}: ${label}` : label;
}

/** Whether a field with its label is higher than half the window. */
export const isTall = (place) => place.offsetHeight > innerHeight / 2;

// Gives a field the focus, and scrolls to all of it: its label, and the message below it; of a high one, to its top.
function leadTo(field) {
  field.focus({ preventScroll: true });
  const place = field.closest(".backoffice-field, .field") ?? field;
  place.scrollIntoView({ block: isTall(place) ? "start" : "nearest" });
}

/** How many fields are marked, beside the button, and a link to each. */
export function MarkSummary({ one, many }) {
  const marks = useContext(Marks);
  const place = useRef(null);
  const [wrong, setWrong] = useState([]);
  useEffect(() => {
    const marked = place.current.closest(".form-marks").querySelectorAll("[aria-invalid=true]");
    setWrong([...marked].map((field) => ({ field, label: labelOf(field) })));
  }, [marks]);
  const lead = (field) => (event) => {
    event.preventDefault();
    leadTo(field);
  };
  const count = wrong.length === 1 ? one : many.replace("{count}", wrong.length);
  return (
    <div ref={place} className="form-wrong" hidden={!wrong.length}>
      {wrong.length > 0 && (
        <>
          <p aria-live="polite"><a href={"#" + wrong[0].field.id} onClick={lead(wrong[0].field)}>{count}</a></p>
          <ul>
            {wrong.map(({ field, label }) => (
              <li key={field.name}><a href={"#" + field.id} onClick={lead(field)}>{label}</a></li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

export function FormMarks(props) {
  const { drawn, errors, timesRefused, saves, checks, watched, sends, proposed, onCheck, onRight, children } = props;
  const root = useRef(null);
  const [marks, setMarks] = useState(() => marksOf(drawn));
  const shown = useRef(marks);
  const call = useRef(onCheck);
  const right = useRef(onRight);
  const edited = useRef({}); // the number of each field's value
  const checked = useRef({}); // all numbers when the check of a field was sent
  const unanswered = useRef(new Set()); // the names of fields whose check has no answer yet
  const sent = useRef({}); // all numbers when the form was sent
  const suggested = useRef({ ...proposed }); // the suggestion that was filled into a field
  const waiting = useRef({}); // the suggestion for a field that has the focus
  const pauses = useRef({});
  const checkAgain = useRef(() => {});
  const wantsFocus = useRef(false);
  useEffect(() => {
    shown.current = marks;
    call.current = onCheck;
    right.current = onRight;
  });
  useEffect(() => () => Object.values(pauses.current).forEach(clearTimeout), []);
  useEffect(() => onConnection((what) => { if (what === "back") checkAgain.current(); }), []);

  const fieldOf = (name) => root.current?.querySelector(`[name="${CSS.escape(name)}"]`);
  const check = (name) => {
    clearTimeout(pauses.current[name]);
    delete pauses.current[name];
    const typed = Object.fromEntries([...sends, name].map((one) => [one, sentOf(fieldOf(one))]));
    checked.current[name] = { ...edited.current };
    unanswered.current.add(name);
    call.current?.(name, edited.current[name] ?? 0, typed);
  };
  useEffect(() => {
    checkAgain.current = () => [...unanswered.current].filter(fieldOf).forEach(check);
  });
  const isWrong = (name) => Boolean(shown.current[name]?.error);
  // A change may also correct fields that are compared with this one, such as a repeated password.
  const checkAll = (name) => {
    check(name);
    if (sends.includes(name)) sends.filter((one) => one !== name && isWrong(one)).forEach(check);
  };
  const checkLater = (name) => {
    clearTimeout(pauses.current[name]);
    pauses.current[name] = setTimeout(() => checkAll(name), PAUSE);
  };
  const mark = (name, value) => setMarks((before) => ({ ...before, [name]: value }));
  const suggest = (numbers, suggestions) => {
    for (const [name, text] of Object.entries(suggestions ?? {})) {
      const field = fieldOf(name);
      const isTyped = field?.value !== "" && field?.value !== suggested.current[name];
      if (!field || isTyped || edited.current[name] !== numbers?.[name] || field.value === text) continue;
      // Not while the field has the focus: the user may be typing.
      if (field === document.activeElement) {
        waiting.current[name] = { numbers, text };
        continue;
      }
      field.value = suggested.current[name] = text;
      edited.current[name] = ++edits;
      check(name);
    }
  };

  // Rows were moved or removed: a field may be gone, and another may be in another row.
  const forgetGone = () =>
    setMarks((before) => Object.fromEntries(Object.entries(before).filter(([name]) => fieldOf(name))));
  const typed = (event) => {
    const { name } = event.target;
    if (!name) return forgetGone();
    edited.current[name] = ++edits;
    const { error, hint } = shown.current[name] ?? NOTHING;
    if (hint || (error && !call.current)) mark(name, NOTHING);
    const isCompared = sends.includes(name) && sends.some(isWrong);
    if (isComposing(event)) return;
    if (call.current && (watched.includes(name) || error || isCompared)) checkLater(name);
  };
  const left = ({ target }) => {
    const { name } = /** @type {HTMLInputElement} */ (target);
    if (name in pauses.current) checkAll(name);
    if (!(name in waiting.current)) return;
    const { numbers, text } = waiting.current[name];
    delete waiting.current[name];
    // After this event, because the field still has the focus now.
    setTimeout(() => root.current && suggest(numbers, { [name]: text }));
  };

  const seen = useRef(checks);
  useEffect(() => {
    const before = seen.current;
    seen.current = checks;
    for (const [name, answer] of Object.entries(checks ?? {})) {
      if (before?.[name] === answer || answer.edit !== (edited.current[name] ?? 0)) continue;
      unanswered.current.delete(name);
      // An empty field is not marked until the form was submitted with it.
      const isTooEarly = answer.error && !isWrong(name) && !fieldOf(name)?.value;
      mark(name, isTooEarly ? NOTHING : { error: answer.error, hint: answer.hint });
      suggest(checked.current[name], answer.suggestions);
    }
  }, [checks]);

  const refused = useRef(timesRefused);
  useEffect(() => {
    if (refused.current === timesRefused) return;
    refused.current = timesRefused;
    const wrong = marksOf(errors);
    const names = Object.keys(wrong);
    // An error of another kind, such as a lost database, concerns no field.
    if (!names.length) return;
    setMarks(wrong);
    const typedSince = (name) => edited.current[name] !== sent.current[name];
    names.filter(typedSince).forEach(checkLater);
    const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
    const isTyping = typedSince(field?.name ?? "") && root.current.contains(field);
    wantsFocus.current = !isTyping;
  }, [timesRefused, errors]);
  useEffect(() => {
    const wrong = wantsFocus.current && root.current.querySelector("[aria-invalid=true]");
    if (wrong) leadTo(wrong);
    wantsFocus.current = false;
  }, [marks]);
  // Complaints for which the server is not asked; see delivery.jsx.
  useEffect(() => {
    const element = root.current;
    const complained = ({ detail }) => {
      setMarks(marksOf(detail));
      wantsFocus.current = true;
    };
    element.addEventListener("complained", complained);
    return () => element.removeEventListener("complained", complained);
  }, []);
  const wasWrong = useRef(false);
  useEffect(() => {
    const isWrong = Object.values(marks).some(({ error }) => error);
    if (wasWrong.current && !isWrong) right.current?.();
    wasWrong.current = isWrong;
  }, [marks]);

  // What was sent was right, also where it was corrected so late that it was not checked.
  useChange(saves, () => {
    Object.values(pauses.current).forEach(clearTimeout);
    pauses.current = {};
    // A draft is saved with its errors.
    if (!Object.values(errors ?? {}).some(Boolean)) setMarks({});
  });

  const submitted = () => {
    sent.current = { ...edited.current };
  };
  return (
    <Marks.Provider value={marks}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to events of its fields */}
      <div ref={root} className="form-marks" onInput={typed} onCompositionEnd={typed} onBlur={left} onSubmit={submitted}>
        {children}
      </div>
    </Marks.Provider>
  );
}
