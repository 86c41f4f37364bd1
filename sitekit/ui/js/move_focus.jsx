// @ts-check
// Moves the focus when a number changes, or when a page has come; a summary that gets it closes its details; see
// sitekit/ui/browser.py.
import { useEffect } from "react";
import { useChange } from "./change.js";

export function MoveFocus({ to, when }) {
  useChange(when, () => {
    const place = /** @type {HTMLElement} */ (document.querySelector(to));
    const box = place?.matches("summary") ? /** @type {HTMLDetailsElement} */ (place.parentElement) : null;
    if (box?.querySelector("textarea")?.value) return; // somebody types on
    if (box) box.open = false;
    place?.focus();
  });
  return null;
}

export function FocusOnArrival({ to }) {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView(); // it was not there when the browser looked for it
    if (document.activeElement === document.body) document.querySelector(to)?.focus({ preventScroll: true });
  }, []);
  return null;
}
