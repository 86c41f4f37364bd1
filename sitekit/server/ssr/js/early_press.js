// @ts-check
// Stands in the head of each private page: the button that is pressed before the scripts are there is pressed when they are.
(() => {
  /** @type {HTMLElement | null} */
  let pressed = null;
  const following = new AbortController();
  const options = { capture: true, signal: following.signal };
  const note = (/** @type {Event} */ event, /** @type {Element | null | undefined} */ button) => {
    if (!button) return;
    event.preventDefault();
    pressed = /** @type {HTMLElement} */ (button);
  };
  addEventListener("click", (event) => {
    note(event, /** @type {Element} */ (event.target).closest("button[type=button]"));
  }, options);
  addEventListener("keydown", (event) => {
    const isFinder = event.key === "k" && (event.ctrlKey || event.metaKey);
    note(event, isFinder ? document.querySelector(".finder-button") : null);
  }, options);
  document.addEventListener("drawn", () => {
    following.abort();
    if (pressed?.isConnected) pressed.click();
  }, { once: true });
})();
