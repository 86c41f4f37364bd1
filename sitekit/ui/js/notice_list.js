// @ts-check
// Which notices are shown together, and when each one ends.

/**
 * `subject` is what it is about, `undo` what can be undone; one without a text withdraws others.
 * @typedef {{ id: string, level: string, text: string, subject?: string, undo?: string }} Notice
 */

export const MOST = 3;
const STORED_AS = "notices";
const REMEMBERED = 20;

/**
 * The notices that are shown after another one has come.
 * @template {Notice} T
 * @param {T[]} shown
 * @param {T} notice
 */
export function withNotice(shown, notice) {
  const isAboutIt = (/** @type {T} */ one) => Boolean(notice.subject) && one.subject === notice.subject;
  const isWithdrawn = (/** @type {T} */ one) =>
    notice.undo ? one.undo === notice.undo : isAboutIt(one) && one.level === "error";
  const isReplaced = (/** @type {T} */ one) =>
    notice.text ? one.text === notice.text || isAboutIt(one) : isWithdrawn(one);
  const others = shown.filter((one) => !isReplaced(one));
  return notice.text ? [...others, notice].slice(-MOST) : others;
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
