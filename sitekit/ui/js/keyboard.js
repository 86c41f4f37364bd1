// @ts-check
// What a pressed key means: a command, or a part of a text that is typed or being composed.

// Elements in which a letter is typed, or selects an item.
const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu]";
const LETTER = /^[a-z]$/i;

/**
 * Whether a text is being composed, as Chinese or Japanese is: the key, or what was typed, is not meant for the page.
 * @param {any} event of a key or an input, the browser's or React's
 */
export function isComposing(event) {
  const { isComposing, keyCode } = event.nativeEvent ?? event;
  return Boolean(isComposing) || keyCode === 229;
}

/**
 * Whether Ctrl or Cmd was pressed with a letter; on keyboards without Latin letters, with the key where it would be.
 * @param {KeyboardEvent} event
 * @param {string} letter in lower case
 */
export function isCommand(event, letter) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  return event.key.toLowerCase() === letter || (!LETTER.test(event.key) && event.code === `Key${letter.toUpperCase()}`);
}

/** @param {EventTarget | null} target */
export const isTypedIn = (target) => target instanceof Element && target.closest(TYPED_IN) !== null;
