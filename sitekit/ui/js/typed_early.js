// @ts-check
// Keeps what was typed, opened and focused before React takes the page over: it resets fields whose text it keeps itself,
// and if a translator or an extension has changed the page, it draws all of it anew.

/** @typedef {HTMLInputElement & HTMLDetailsElement} Interactive */
const INTERACTIVE = "input:not([type=hidden],[type=checkbox],[type=radio]),select,textarea,button,details";
/** @type {() => Interactive[]} */
const interactive = () => Array.from(document.querySelectorAll(INTERACTIVE));

function isChanged(/** @type {Interactive} */ field) {
  if (field.localName !== "select") return field.value !== (field.defaultValue ?? field.value);
  const { options, value } = /** @type {HTMLSelectElement} */ (/** @type {Element} */ (field));
  return value !== (Array.from(options).find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value;
}

/** Change a field as its user does: React overrides `value` on the element, to learn who changed it. */
function type(/** @type {Interactive} */ field, /** @type {string} */ text) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  field.dispatchEvent(new Event(field.localName === "select" ? "change" : "input", { bubbles: true }));
}

if (typeof document !== "undefined") {
  const before = interactive();
  const typed = new Map(before.filter(isChanged).map((field) => [field, field.value]));
  /** @type {EventTarget | null} */
  let focused = document.activeElement;
  const following = new AbortController();
  const options = { capture: true, signal: following.signal };
  addEventListener("focusin", ({ target }) => { focused = target; }, options);
  addEventListener("focusout", ({ target }) => setTimeout(() => {
    if (target === focused && /** @type {Element} */ (target).isConnected) focused = null;
  }), options);
  addEventListener("input", ({ target }) => {
    const field = /** @type {Interactive} */ (target);
    typed.set(field, field.value);
  }, options);
  // A private page takes over its content after the rest.
  document.addEventListener(document.querySelector(".backoffice") ? "drawn" : "hydrated", () => {
    following.abort();
    for (const was of before) {
      // What stands in its place now. An extension may have added elements of its own.
      const alike = (/** @type {Interactive} */ one) => one.localName === was.localName && one.name === was.name;
      const now = was.isConnected ? was : interactive().filter(alike)[before.filter(alike).indexOf(was)];
      if (!now) continue;
      const text = typed.get(was);
      if (text !== undefined && now.value !== text) type(now, text);
      if (now === was) continue;
      now.open = was.open;
      if (was !== focused) continue;
      now.focus();
      if (was.selectionEnd != null) now.setSelectionRange?.(was.selectionStart, was.selectionEnd);
    }
  }, { once: true });
}
