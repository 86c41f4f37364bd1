// @ts-check
// Texts that staff can change; see sitekit/ui/public/words.py. The server and the browser have the same changes, so
// React finds in the browser what it wrote on the server.
import { createElement } from "react";

/** @type {Map<string, string>} */
const changes = new Map();
// Of the page that is being rendered, with their numbers; see ssr/marked_html.py for the marks.
/** @type {Map<string, number>} */
const asked = new Map();
// They have a name while a page is rendered with them.
const marks = { name: "" };

// For ssr/js/render.mjs. The build leaves out of the browser's files what is for the server, and the other way round.
if (import.meta.env.SSR) globalThis.__siteWords = { changes, asked, marks };
else {
  const state = JSON.parse(document.getElementById("page-state")?.textContent || "{}");
  for (const [original, text] of Object.entries(state.texts ?? {})) changes.set(original, text);
}

/** @type {(original: string) => string} */
export function words(original) {
  const text = changes.get(original) ?? original;
  if (!import.meta.env.SSR) return text;
  if (!asked.has(original)) asked.set(original, asked.size);
  return marks.name ? `\uE000${marks.name}${asked.get(original)}\uE001${text}\uE002` : text;
}

/**
 * The pieces of a text; each has the marks of the whole, because elements may be put around them.
 * @type {(text: string, cut: (text: string) => string[]) => string[]}
 */
function pieces(text, cut) {
  if (!import.meta.env.SSR) return cut(text);
  const [, open, plain, close] = /^(\uE000[^\uE001]*\uE001)(.*)(\uE002)$/s.exec(text) ?? ["", "", text, ""];
  return cut(plain).map((piece) => piece && open + piece + close);
}

/** @type {(text: string) => string[]} */
function atLastSpace(text) {
  const end = text.lastIndexOf(" ") + 1;
  return [text.slice(0, end), text.slice(end)];
}
/** @type {(text: string) => string} */
export const beforeLastWord = (text) => pieces(text, atLastSpace)[0];
/** @type {(text: string) => string} */
export const lastWord = (text) => pieces(text, atLastSpace)[1];

/** @type {(title: string) => import("react").ReactNode[]} */
export const unbroken = (title) => pieces(title, (text) => text.split(/(\S+-\S+)/)).map((piece, key) =>
  piece.includes("-") ? createElement("span", { key, className: "nowrap" }, piece) : piece);
