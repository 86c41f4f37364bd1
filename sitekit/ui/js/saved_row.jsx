// @ts-check
// Highlights the row that was just saved, and moves the focus there; see sitekit/admin/components/table.py.
import { useChange } from "./change.js";

const TINTED_FOR = 2000; // milliseconds

export function SavedRow({ id, number }) {
  useChange(number, () => {
    const row = document.querySelector(`[data-row="${id}"]`);
    if (!row) return;
    row.scrollIntoView({ block: "nearest" });
    row.classList.add("is-saved");
    setTimeout(() => row.classList.remove("is-saved"), TINTED_FOR);
    // Keyboard users continue from here, not from the top of the page.
    /** @type {HTMLElement | null} */
    const first = row.querySelector("a, button");
    if (document.activeElement === document.body) first?.focus({ preventScroll: true });
  });
  return null;
}
