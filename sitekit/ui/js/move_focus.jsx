// @ts-check
// Moves the focus when a number changes, or when a page has come; see sitekit/ui/browser.py.
import { useEffect } from "react";
import { useChange } from "./change.js";

export function MoveFocus({ to, when }) {
  useChange(when, () => document.querySelector(to)?.focus());
  return null;
}

export function FocusOnArrival({ to }) {
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector(to)?.focus({ preventScroll: true });
  }, []);
  return null;
}
