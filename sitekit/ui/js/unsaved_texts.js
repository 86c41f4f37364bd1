// @ts-check
// Unsaved texts in the browser: what of a form they are, when they are restored, and what a save makes of them.

/** @typedef {Record<string, string>} Texts By the names of the inputs. */

// What is added while the form is submitted is not typed.
const isAdded = (/** @type {string} */ name) => ["then", "submission"].includes(name) || name.endsWith("_finding");

/**
 * The texts that are typed into a form.
 * @param {Iterable<[string, FormDataEntryValue]>} entries
 * @returns {Texts}
 */
export function typedTexts(entries) {
  const texts = [...entries].filter(([name, value]) => typeof value === "string" && !isAdded(name));
  return Object.fromEntries(/** @type {[string, string][]} */ (texts));
}

/**
 * What happens with the kept texts when their form is rendered, which shows `shown`.
 *
 * A form may show older texts than the browser keeps, as after a reload; what was `requested` last is not requested
 * again.
 * @param {string | null} kept
 * @param {string} shown
 * @param {boolean} isRestored Whether the server has rendered the form with kept texts.
 * @param {string | undefined} requested
 * @returns {"keep" | "remove" | "restore"}
 */
export function restoreStep(kept, shown, isRestored, requested) {
  if (!kept || kept === shown) return isRestored ? "keep" : "remove";
  return isRestored && kept === requested ? "keep" : "restore";
}

/**
 * The texts that count as unchanged after a save; shows those that were stored in another form than typed, unless they
 * were edited since.
 * @template {{ type: string, value: string }} Field
 * @param {Texts} sent
 * @param {Record<string, unknown>} stored
 * @param {(name: string) => Field | null | undefined} fieldOf
 * @param {(field: Field, text: string) => void} show
 */
export function settle(sent, stored, fieldOf, show) {
  const texts = { ...sent };
  for (const [name, value] of Object.entries(stored)) {
    const field = fieldOf(name);
    if (!(name in texts) || !field || field.type === "checkbox") continue;
    const isTypedSince = field.type !== "hidden" && field.value !== texts[name];
    texts[name] = String(value);
    if (!isTypedSince) show(field, texts[name]);
  }
  return texts;
}
