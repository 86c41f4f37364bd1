// Moves the focus when a number changes; see ui/browser.py.
import { useChange } from "./change.js";

export function MoveFocus({ to, when }) {
  useChange(when, () => document.querySelector(to)?.focus());
  return null;
}
