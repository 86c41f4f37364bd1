// @ts-check
// Buttons, fields, avatars and spinners: elements with a class of css/backoffice/controls.css; see sitekit/admin/components/controls.py.
import { createContext, useContext, useEffect, useId, useRef } from "react";
import { Link } from "react-router";

const CHEVRON = "M16.59 8.59 12 13.17 7.41 8.59 6 10l6 6 6-6z";

const named = (/** @type {string} */ own, /** @type {string | undefined} */ more) => (more ? `${own} ${more}` : own);

/**
 * The class and attributes of what looks like a button; a solid one of the usual size has no attributes.
 * @param {Record<string, any>} props
 */
export function buttonLook({ variant, size, isWide, isSquare, className }) {
  return {
    className: named("backoffice-button", className),
    "data-variant": variant === "solid" ? undefined : variant,
    "data-size": size === "md" ? undefined : size,
    "data-is-wide": isWide || undefined,
    "data-is-square": isSquare || undefined,
  };
}

/**
 * A button. While it `isLoading` it cannot be pressed, and shows `loadingText` beside a spinner, or the spinner alone.
 * @param {any} props
 */
export function Button({ variant, size, isWide, isSquare, isDisabled, isLoading, loadingText, className, children, ...rest }) {
  return (
    <button type="button" {...rest} {...buttonLook({ variant, size, isWide, isSquare, className })}
      disabled={Boolean(isDisabled || isLoading)}>
      {isLoading && loadingText && <><Spinner />{loadingText}</>}
      {isLoading && !loadingText && <><span className="button-waits"><Spinner /></span><span>{children}</span></>}
      {!isLoading && children}
    </button>
  );
}

/**
 * A link within the site that looks like a button.
 * @param {any} props
 */
export function ButtonLink({ variant, size, isWide, isSquare, className, ...rest }) {
  return <Link {...rest} {...buttonLook({ variant, size, isWide, isSquare, className })} />;
}

/**
 * What turns round while something is awaited; it says `label`, if it has one.
 * @param {{ label?: string, size?: string }} props
 */
export function Spinner({ label, size }) {
  return (
    <span className="backoffice-spinner" data-size={size}>
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  );
}

/** @type {import("react").Context<Record<string, any>>} */
const FieldAttributes = createContext({});

/**
 * A control with its label, and below it the error, else the hint. The control gets the ids that join them.
 * @param {any} props
 */
export function Field({ id, label, error, hint, above, isRequired, isMarked, isInvalid, className, ref, children }) {
  const own = useId();
  const name = id || `field-${own}`;
  const isWrong = isInvalid ?? Boolean(error);
  const notes = [error && `${name}-feedback`, hint && `${name}-helptext`].filter(Boolean).join(" ");
  const attributes = {
    id: name,
    required: isRequired || undefined,
    "aria-required": isRequired || undefined,
    "aria-invalid": isWrong || undefined,
    "aria-describedby": notes || undefined,
  };
  return (
    <div ref={ref} className={named("field-frame", className)}>
      {label && (
        <label htmlFor={name} id={`${name}-label`} className="field-label">
          {label}
          {isRequired && isMarked && <span className="field-required" role="presentation" aria-hidden="true">*</span>}
        </label>
      )}
      {above}
      <FieldAttributes.Provider value={attributes}>{children}</FieldAttributes.Provider>
      {hint && <div id={`${name}-helptext`} className="field-hint">{hint}</div>}
      {error && <div id={`${name}-feedback`} className="field-message" aria-live="polite">{error}</div>}
    </div>
  );
}

/**
 * One line of text.
 * @param {any} props
 */
export function Input({ className, ...rest }) {
  return <input {...useContext(FieldAttributes)} {...rest} className={named("backoffice-input", className)} />;
}

/**
 * Several lines of text.
 * @param {any} props
 */
export function TextArea({ className, ...rest }) {
  return <textarea {...useContext(FieldAttributes)} {...rest} className={named("backoffice-input", className)} />;
}

/**
 * A choice among options.
 * @param {any} props
 */
export function Select({ size, isNarrow, className, children, ...rest }) {
  return (
    <div className="backoffice-select" data-is-narrow={isNarrow || undefined}>
      <select {...useContext(FieldAttributes)} {...rest} className={named("backoffice-input", className)} data-size={size}>
        {children}
      </select>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d={CHEVRON} /></svg>
    </div>
  );
}

/**
 * A checkbox with its label, or a radio button. `onTick` gets whether it is ticked now.
 * @param {any} props
 */
export function Tick({ type = "checkbox", isChecked, isIndeterminate = false, isDisabled, onTick, className, children, ...rest }) {
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (box.current) box.current.indeterminate = isIndeterminate;
  }, [isIndeterminate, isChecked]);
  const given = isChecked === undefined ? {} : { checked: isChecked };
  return (
    <label className={named("backoffice-tick", className)}>
      <input ref={box} type={type} {...useContext(FieldAttributes)} {...rest} {...given} disabled={isDisabled}
        onChange={onTick && ((/** @type {any} */ event) => onTick(event.target.checked))} />
      <span>{children}</span>
    </label>
  );
}

/**
 * A round picture of a person with the initials of `name`, or with `initials`.
 * @param {any} props
 */
export function Avatar({ name, initials, size, ...rest }) {
  const words = name.split(" ").filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => Array.from(word ?? "")[0] ?? "").join("");
  return (
    <span className="backoffice-avatar" data-size={size} {...rest}>
      <span role="img" aria-label={name}>{initials ?? letters}</span>
    </span>
  );
}
