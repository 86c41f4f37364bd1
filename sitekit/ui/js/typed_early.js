// @ts-check
// Keeps what was typed, opened and focused before React takes the page over: if a translator or an extension has changed
// the page, React draws all of it anew.

/** @typedef {HTMLInputElement & HTMLDetailsElement} Interactive */
const INTERACTIVE =
  "input[name]:not([type=hidden],[type=checkbox],[type=radio]),select[name],textarea[name],button,details";
/** @type {() => Interactive[]} */
const interactive = () => Array.from(document.querySelectorAll(INTERACTIVE));

if (typeof document !== "undefined") {
  const before = interactive();
  /** @type {EventTarget | null} */
  let focused = document.activeElement;
  const following = new AbortController();
  const options = { capture: true, signal: following.signal };
  addEventListener("focusin", ({ target }) => { focused = target; }, options);
  addEventListener("focusout", ({ target }) => setTimeout(() => {
    if (target === focused && /** @type {Element} */ (target).isConnected) focused = null;
  }), options);
  document.addEventListener("hydrated", () => {
    following.abort();
    for (const was of before) {
      // What stands in its place now. An extension may have added elements of its own.
      const alike = (/** @type {Interactive} */ one) => one.localName === was.localName && one.name === was.name;
      const now = was.isConnected ? was : interactive().filter(alike)[before.filter(alike).indexOf(was)];
      if (!now || now === was) continue;
      now.open = was.open;
      if (now.value !== was.value) {
        now.value = was.value;
        now.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (was !== focused) continue;
      now.focus();
      if (was.selectionEnd != null) now.setSelectionRange?.(was.selectionStart, was.selectionEnd);
    }
  }, { once: true });
}
