// @ts-check
// The text beside a form that was delivered; empties the form. See sitekit/ui/public/delivery.py.
import { useEffect, useRef, useState } from "react";
import { generateUUID } from "$/framework/reflex.js";

const fieldsOf = (/** @type {string} */ form) =>
  /** @type {NodeListOf<HTMLInputElement>} */ (
    document.getElementById(form).querySelectorAll("input:not([type=hidden]), textarea, select")
  );

export function Delivered({ form, accepted, reported, isDrawn, text, children, ...rest }) {
  const thanks = useRef(text);
  if (text) thanks.current = text;
  const note = useRef(null);
  const id = useRef(null);
  const [isShown, setShown] = useState(isDrawn);
  const [deliveries, setDeliveries] = useState(0);
  useEffect(() => {
    const element = /** @type {HTMLFormElement} */ (document.getElementById(form));
    // The first focus may be what loads these scripts; then it counts from the beginning of the page.
    let began = element.matches(":focus-within") || [...fieldsOf(form)].some(({ value }) => value) ? 0 : -1;
    const focused = () => { if (began < 0) began = performance.now(); };
    // A form keeps its id until it is accepted, so that sending it again does not store it twice.
    const submitted = () => {
      id.current ??= generateUUID();
      const values = [id.current, Math.round(performance.now() - began), document.referrer];
      ["submission", ...reported].forEach((name, i) => {
        /** @type {HTMLInputElement} */ (element.elements.namedItem(name)).value = String(values[i]);
      });
      setShown(false);
    };
    element.addEventListener("focusin", focused);
    element.addEventListener("submit", submitted, true);
    return () => {
      element.removeEventListener("focusin", focused);
      element.removeEventListener("submit", submitted, true);
    };
  }, [form]);
  useEffect(() => {
    // Ignores replies to an earlier form of this tab.
    if (!accepted || accepted !== id.current) return;
    id.current = null;
    for (const field of fieldsOf(form)) field.value = "";
    setShown(true);
    setDeliveries((before) => before + 1);
  }, [accepted, form]);
  useEffect(() => {
    if (deliveries) note.current?.focus();
  }, [deliveries]);
  return isShown ? <div {...rest} ref={note} tabIndex={-1}><p>{thanks.current}</p>{children}</div> : null;
}
