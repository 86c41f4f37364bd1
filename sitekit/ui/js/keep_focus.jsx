// @ts-check
// Where the focus goes when what had it is removed, as a button by what it does; see sitekit/admin/shell.py.
import { useEffect } from "react";
import { useLocation } from "react-router";

const IN_BETWEEN = "[role=menu], [role=dialog], [role=alertdialog]";
const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea";
const CONTROLS = "a[href], button, input, select, textarea, summary";
const BUSY = "[aria-busy=true], .backoffice-bone, .backoffice-spinner:not(button *)";

const rowsOf = (/** @type {Element} */ list) => [...list.querySelectorAll("[data-row]")];
const controlOf = (/** @type {Element | undefined} */ row) =>
  /** @type {HTMLElement | null | undefined} */ (row?.querySelector("a, button"));

function canHaveFocus(/** @type {HTMLElement} */ element) {
  // On a phone a text field would open the keyboard, which nobody asked for.
  const isQuiet = element.matches(TYPED_IN) && matchMedia("(pointer: coarse)").matches;
  return !isQuiet && element.tabIndex >= 0 && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true });
}

// The first control of the page after the place of a removal, where its replacement stands if there is one; else the
// last one before it.
function nearest(/** @type {Element} */ main, /** @type {MutationRecord} */ { target, previousSibling }) {
  const controls = /** @type {HTMLElement[]} */ ([...main.querySelectorAll(CONTROLS)]).filter(canHaveFocus);
  const before = previousSibling?.isConnected ? previousSibling : target;
  const after = controls.find((control) => {
    const position = before.compareDocumentPosition(control);
    const isWithin = position & Node.DOCUMENT_POSITION_CONTAINED_BY;
    return position & Node.DOCUMENT_POSITION_FOLLOWING && (before === target || !isWithin);
  });
  return after ?? controls.at(-1);
}

export function KeepFocus() {
  const { pathname } = useLocation();
  useEffect(() => {
    const main = /** @type {HTMLElement} */ (document.querySelector("main"));
    /** @type {HTMLElement | null} */
    let had = null; // what has the focus, or had it
    /** @type {HTMLElement | null} */
    let before = null; // the same, without notices
    /** @type {HTMLElement | null} */
    let undone = null; // what got the focus while Undo brings a row back
    /** @type {MutationRecord | undefined} */
    let removal;
    /** @type {Element | null | undefined} */
    let list = null;
    let index = -1; // that of its row in the list
    const note = (/** @type {FocusEvent} */ event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (target.closest(IN_BETWEEN)) return;
      [had, removal, undone] = [target, undefined, null];
      if (!target.closest(".notice")) before = target;
      const row = target.closest("[data-row]");
      list = row?.closest("[data-place]");
      index = row && list ? rowsOf(list).indexOf(row) : -1;
    };
    // A click beside everything takes the focus away, but not what had it.
    const left = () => setTimeout(() => {
      if (had?.isConnected && document.activeElement === document.body) had = null;
    });
    const next = (/** @type {HTMLElement} */ lost, /** @type {MutationRecord} */ place) => {
      if (list?.isConnected && index >= 0) {
        const rows = rowsOf(list);
        return controlOf(rows[Math.min(index, rows.length - 1)]) ?? document.querySelector("[role=searchbox]");
      }
      if (lost !== before && before?.isConnected && canHaveFocus(before)) return before;
      return nearest(main, place) ?? main;
    };
    // What knows better comes first: a form that returns the focus to its button, a row that was saved.
    const settle = () => requestAnimationFrame(() => setTimeout(() => {
      if (!had || !removal?.target.isConnected || document.activeElement !== document.body) return;
      if (main.querySelector(BUSY)) return;
      const lost = had;
      const target = /** @type {HTMLElement | null} */ (next(lost, removal));
      target?.focus({ preventScroll: index >= 0 });
      undone = lost.matches(".notice-undo") ? target : null;
    }));
    const watch = new MutationObserver((changes) => {
      if (undone && document.activeElement === undone) {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        const back = rowsOf(main).find((row) => added.includes(row));
        if (back) controlOf(back)?.focus({ preventScroll: true });
      }
      if (!had || had.isConnected) return;
      const holds = (/** @type {Node} */ node) => node.contains(had);
      removal ??= changes.find(({ target, removedNodes }) => target.isConnected && [...removedNodes].some(holds));
      settle();
    });
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
    document.addEventListener("focusin", note);
    document.addEventListener("focusout", left);
    return () => {
      watch.disconnect();
      document.removeEventListener("focusin", note);
      document.removeEventListener("focusout", left);
    };
  }, [pathname]);
  return null;
}
