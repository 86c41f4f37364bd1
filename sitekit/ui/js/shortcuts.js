// @ts-check
// Keys of the back office: those that are shortcuts by themselves, and those that are kept from the page.
import { isComposing, isTypedIn } from "./keyboard.js";

const STORED = "single-keys";

/** Whether keys without Ctrl are shortcuts in this browser; see single_keys.jsx. */
export const areSingleKeysOn = () => localStorage.getItem(STORED) !== "off";

/** @param {boolean} isOn */
export const turnSingleKeys = (isOn) => isOn ? localStorage.removeItem(STORED) : localStorage.setItem(STORED, "off");

/**
 * Whether a key was pressed by itself as a shortcut: not in a text, and not behind a dialog.
 * @param {KeyboardEvent} event
 * @param {string} key
 */
export function isSingleKey(event, key) {
  if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  return !isTypedIn(event.target) && !document.querySelector("[role=dialog]") && areSingleKeysOn();
}

// A menu gives its first item the focus a frame after it was opened; what is pressed until then is for that item.
const MENU_BUTTON = "[aria-haspopup=menu]";
const OPENED = `${MENU_BUTTON}[aria-expanded=true], [role=menu]`;
const PRESSES = ["Enter", " "];
const MENU_KEYS = [...PRESSES, "ArrowDown", "ArrowUp"];
/** @type {string[]} */
let early = [];
let isOpening = false;

const opens = (/** @type {MouseEvent | KeyboardEvent} */ { target }) => {
  if (target instanceof Element && target.closest(MENU_BUTTON)) isOpening = true;
};

/** @param {FocusEvent} event */
function handOn(event) {
  const item = /** @type {HTMLElement} */ (event.target);
  if (item.matches("[role=menu]")) return;
  isOpening = false;
  if (!item.matches("[role=menuitem]")) early = [];
  // One at a time: an arrow moves the focus, which comes here again.
  const key = early.shift();
  if (!key) return;
  if (PRESSES.includes(key)) item.click();
  else item.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

// Keys that go on while they are held, also where the focus moves with them.
const GOES_ON = /^(Arrow|Tab$|Page|Home$|End$|Backspace$|Delete$)/;
/** @type {EventTarget | null} */
let pressedIn = null;

// A key that is held does once what it does; only in the text where it was pressed it is typed again.
/** @param {KeyboardEvent} event */
function isHeldTooLong({ key, repeat, target }) {
  if (!repeat) pressedIn = target;
  if (!repeat || GOES_ON.test(key)) return false;
  return target !== pressedIn || (key === "Enter" && !/** @type {Element} */ (target).matches("textarea, [contenteditable]"));
}

/** @param {KeyboardEvent} event */
function guard(event) {
  // Nothing in the page takes it, while the browser goes on composing.
  if (isComposing(event)) { event.stopPropagation(); return; }
  const target = /** @type {Element} */ (event.target);
  const isEarly = isOpening && MENU_KEYS.includes(event.key) && target.matches?.(OPENED);
  if (!isEarly) opens(event);
  const isTooLong = isHeldTooLong(event);
  if (!isEarly && !isTooLong) return;
  event.preventDefault();
  event.stopPropagation();
  if (isEarly && !isTooLong) early.push(event.key);
}

/**
 * Keep from the page the keys that are not meant for it.
 * @returns {() => void} a function that ends it
 */
export function guardKeys() {
  window.addEventListener("keydown", guard, true);
  window.addEventListener("click", opens, true);
  window.addEventListener("focusin", handOn);
  return () => {
    window.removeEventListener("keydown", guard, true);
    window.removeEventListener("click", opens, true);
    window.removeEventListener("focusin", handOn);
  };
}
