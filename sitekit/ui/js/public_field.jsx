// @ts-check
// A labelled field of a public form, with its help and its error; see sitekit/ui/public/fields.py.
import { useState } from "react";
import { useMark } from "./marks.jsx";

export function PublicField({ name, label, help, inputType, typed, required, placeholder, autoComplete, rows, options }) {
  const { error } = useMark(name);
  // The initial text; after that, the input is uncontrolled.
  const [start] = useState(typed ?? "");
  const hintId = `${name}-hint`;
  const errorId = `${name}-error`;
  /** @type {import("react").AllHTMLAttributes<never>} */
  const control = {
    id: name,
    name,
    className: "input",
    required,
    defaultValue: start,
    placeholder: placeholder || undefined,
    autoComplete: autoComplete || undefined,
    "aria-invalid": error ? "true" : "false",
    "aria-describedby": [error && errorId, help && hintId].filter(Boolean).join(" ") || undefined,
  };
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {required && <span className="required" aria-hidden="true"> *</span>}
      </label>
      {help && <p className="hint" id={hintId}>{help}</p>}
      {inputType === "textarea" ? (
        <textarea rows={rows} {...control} />
      ) : inputType === "select" ? (
        <select {...control}>
          {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
      ) : (
        <input type={inputType} {...control} />
      )}
      {error && <p className="field-error" id={errorId}>{error}</p>}
    </div>
  );
}
