// @ts-check
// A labelled field of the back office, with its hint or its error; sitekit/admin/components/forms.py draws the control in it.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Field } from "./controls.jsx";
import { isTall, useMark } from "./marks.jsx";

// Splits a text as core/text.comma_list does.
function entriesOf(text) {
  const pieces = text.split(text.includes("\n") ? "\n" : ",");
  return pieces.map((piece) => piece.trim()).filter(Boolean);
}

function Entries({ label }) {
  const list = useRef(null);
  const [entries, setEntries] = useState([]);
  useEffect(() => {
    const control = list.current.closest(".backoffice-field").querySelector("textarea");
    const read = () => setEntries(entriesOf(control.value));
    read();
    const changes = ["input", "filled"];
    changes.forEach((change) => control.addEventListener(change, read));
    return () => changes.forEach((change) => control.removeEventListener(change, read));
  }, []);
  return (
    <ul ref={list} className="backoffice-tags field-entries" aria-label={label} hidden={!entries.length}>
      {entries.map((entry, place) => <li key={place} className="backoffice-tag">{entry}</li>)}
    </ul>
  );
}

export function BackofficeField({ name, label, hint, isRequired, entriesLabel, className, children }) {
  const { error, hint: found } = useMark(name);
  const note = found || hint;
  const field = useRef(null);
  // The message below a high field may be outside the window, so it stands above it too.
  const [isAbove, setAbove] = useState(false);
  useLayoutEffect(() => { setAbove(Boolean(error) && isTall(field.current)); }, [error]);
  const above = isAbove && <p className="backoffice-error" aria-hidden="true">{error}</p>;
  return (
    <Field ref={field} isMarked {...{ className, label, above, isRequired, error }} hint={error ? "" : note}>
      {children}
      {entriesLabel && <Entries label={entriesLabel} />}
    </Field>
  );
}

export function BackofficeError({ name }) {
  const { error } = useMark(name);
  return error ? <p className="backoffice-error" role="alert">{error}</p> : null;
}
