// @ts-check
// What a form shows while one of its inputs has a value; see sitekit/admin/components/submit.py.
import { useLayoutEffect, useState } from "react";

/**
 * Whether the input with this name has a value; half of one is sent as "?", so that it is refused.
 * @param {() => HTMLFormElement | null} formOf
 * @param {string | undefined} name
 */
export function useFilled(formOf, name) {
  const [isFilled, setFilled] = useState(false);
  useLayoutEffect(() => {
    const form = formOf();
    const input = () => /** @type {HTMLInputElement | null} */ (name ? form?.elements.namedItem(name) ?? null : null);
    const read = () => setFilled(Boolean(input()?.value));
    const addHalf = (/** @type {FormDataEvent} */ { formData }) => {
      if (name && input()?.validity.badInput) formData.set(name, "?");
    };
    read();
    form?.addEventListener("input", read);
    form?.addEventListener("filled", read, true); // it does not bubble
    form?.addEventListener("formdata", addHalf);
    return () => {
      form?.removeEventListener("input", read);
      form?.removeEventListener("filled", read, true);
      form?.removeEventListener("formdata", addHalf);
    };
  }, [name]);
  return isFilled;
}

export function WhenFilled({ form, name, filled, children }) {
  const formOf = () => /** @type {HTMLFormElement | null} */ (document.getElementById(form));
  return useFilled(formOf, name) ? filled : children;
}
