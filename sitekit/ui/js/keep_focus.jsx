// @ts-check
// Where the focus goes when the row that had it is gone, or comes back by Undo; see sitekit/admin/components/table.py.
import { useEffect, useRef } from "react";

const IN_BETWEEN = "[role=menu], [role=dialog], [role=alertdialog]";

export function RowFocus() {
  const self = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const list = /** @type {HTMLElement} */ (self.current?.parentElement);
    const rows = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-row]")]);
    /** @type {Element | null} */
    let had = null; // the row or the notice that had the focus
    let place = 0;
    const note = (/** @type {FocusEvent} */ { target }) => {
      const element = /** @type {HTMLElement} */ (target);
      const row = /** @type {HTMLElement | null} */ (element.closest("[data-row]"));
      if (element.closest(IN_BETWEEN)) return;
      if (row && list.contains(row)) place = rows().indexOf(row);
      had = row ?? element.closest(".notice");
    };
    // A click beside everything takes the focus away and leaves the row.
    const left = () => setTimeout(() => {
      if (had?.isConnected && document.activeElement === document.body) had = null;
    });
    const watch = new MutationObserver((changes) => {
      const isBusy = list.getAttribute("aria-busy") === "true";
      if (!had || had.isConnected || document.activeElement !== document.body || isBusy) return;
      const added = /** @type {Element[]} */ (changes.flatMap(({ addedNodes }) => [...addedNodes]));
      const back = had.matches(".notice") && rows().find((row) => added.includes(row));
      const row = back || rows()[Math.min(place, rows().length - 1)];
      had = null;
      /** @type {HTMLElement | null} */
      const next = row?.querySelector("a, button") ?? document.querySelector("[role=searchbox]");
      next?.focus({ preventScroll: true });
    });
    watch.observe(list, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
    document.addEventListener("focusin", note);
    document.addEventListener("focusout", left);
    return () => {
      watch.disconnect();
      document.removeEventListener("focusin", note);
      document.removeEventListener("focusout", left);
    };
  }, []);
  return <span ref={self} hidden />;
}
