// @ts-check
// Which notices are shown together, and when each one ends.

/**
 * `subject` is what it is about, `undo` what can be undone: that of the newest alone. One without a text withdraws errors.
 * @typedef {{ id: string, level: string, text: string, subject?: string, undo?: string }} Notice
 */

export const MOST = 3;
const STORED_AS = "notices";
const REMEMBERED = 20;

/**
 * The notices that are shown after another one has come, oldest first.
 * @template {Notice} T
 * @param {T[]} shown
 * @param {T} notice
 */
export function withNotice(shown, notice) {
  const isAboutIt = (/** @type {T} */ one) => Boolean(notice.subject) && one.subject === notice.subject;
  if (!notice.text) return shown.filter((one) => !(isAboutIt(one) && one.level === "error"));
  const others = shown.filter((one) => one.text !== notice.text && !isAboutIt(one));
  return [...others.map((one) => ({ ...one, undo: "" })), notice].slice(-MOST);
}

/**
 * The times at which notices end, by their ids: a reload neither repeats a notice nor ends it early.
 * @returns {Record<string, number>}
 */
export function ends() {
  try { return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "null") || {}; } catch { return {}; }
}

/**
 * @param {string} id
 * @param {number} end
 */
export function keepEnd(id, end) {
  const kept = Object.entries({ ...ends(), [id]: end }).slice(-REMEMBERED);
  sessionStorage.setItem(STORED_AS, JSON.stringify(Object.fromEntries(kept)));
}
