// @ts-check
// Markdown for what is copied from a word processor or a page; the kinds that sitekit/records/fields/markdown.py knows.

/** @typedef {{ nodeType: number, nodeName: string, textContent: string | null, childNodes: Iterable<any>, getAttribute?: (name: string) => string | null }} Piece */

const BLOCKS = new Set(["P", "DIV", "LI", "UL", "OL", "BLOCKQUOTE", "H1", "H2", "H3", "H4", "H5", "H6", "TABLE", "TR", "SECTION", "ARTICLE"]);
const SKIPPED = new Set(["STYLE", "SCRIPT", "HEAD", "META", "TITLE", "IMG"]);

// Signs that would begin something else than text.
const plain = (/** @type {string} */ text) => text.replace(/[*_[\]\\]/g, "\\$&").replace(/\s+/g, " ");

const styleOf = (/** @type {Piece} */ piece) => piece.getAttribute?.("style") ?? "";

/** @type {(text: string, sign: string) => string} */
function marked(text, sign) {
  const [, before, words, after] = /** @type {RegExpExecArray} */ (/^(\s*)([\s\S]*?)(\s*)$/.exec(text));
  return words ? `${before}${sign}${words}${sign}${after}` : text;
}

/** @type {(piece: Piece) => string} */
function inline(piece) {
  if (piece.nodeType === 3) return plain(piece.textContent ?? "");
  if (piece.nodeType !== 1 || SKIPPED.has(piece.nodeName)) return "";
  const words = [...piece.childNodes].map(inline).join("");
  const style = styleOf(piece);
  if (/mso-list:\s*ignore/i.test(style)) return "";
  // Google Docs wraps all of it in a <b> that is not bold.
  const isBold = /^(B|STRONG)$/.test(piece.nodeName) ? !/font-weight:\s*(normal|400)/.test(style) : /font-weight:\s*(bold|[6-9]00)/.test(style);
  const isItalic = /^(I|EM)$/.test(piece.nodeName) || /font-style:\s*italic/.test(style);
  const href = piece.nodeName === "A" ? piece.getAttribute?.("href") ?? "" : "";
  if (piece.nodeName === "BR") return "\n";
  const stressed = marked(isBold ? marked(words, "**") : words, isItalic ? "*" : "");
  return /^(https?:|mailto:|\/)/.test(href) && words.trim() ? `[${stressed.trim()}](${href.replace(/[()\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})` : stressed;
}

const isBlock = (/** @type {Piece} */ piece) => BLOCKS.has(piece.nodeName) || [...piece.childNodes].some(isBlock);
const indented = (/** @type {string} */ text, /** @type {string} */ first) =>
  text.split("\n").map((line, index) => (index ? " ".repeat(first.length) : first) + line).join("\n");

// Word's lists are paragraphs with a style, and with the number or the dot of the item as text.
function itemOfWord(/** @type {Piece} */ piece) {
  const [, level] = /mso-list:[^;]*level(\d)/i.exec(styleOf(piece)) ?? [];
  if (!level) return "";
  const sign = /^\s*\(?\d/.test(piece.textContent ?? "") ? "1. " : "- ";
  return "  ".repeat(Number(level) - 1) + sign + inline(piece).trim();
}

/** @type {(piece: Piece) => string[]} */
function blocks(piece) {
  const item = itemOfWord(piece);
  if (item) return [item];
  const level = /^H([1-6])$/.exec(piece.nodeName);
  if (level) return [`${Number(level[1]) > 2 ? "###" : "##"} ${inline(piece).replace(/\*\*|\n/g, "").trim()}`];
  if (piece.nodeName === "UL" || piece.nodeName === "OL") {
    const items = [...piece.childNodes].filter((item) => item.nodeName === "LI");
    const sign = (/** @type {number} */ index) => (piece.nodeName === "OL" ? `${index + 1}. ` : "- ");
    return [items.map((item, index) => indented(parts(item).join("\n"), sign(index))).join("\n")];
  }
  if (piece.nodeName === "BLOCKQUOTE") return [parts(piece).join("\n\n").replace(/^/gm, "> ")];
  return parts(piece);
}

/** @type {(piece: Piece) => string[]} */
function parts(piece) {
  const found = [];
  let words = "";
  const end = () => { found.push(words.trim().replace(/ *\n */g, "\n\n")); words = ""; };
  for (const child of piece.childNodes) {
    if (SKIPPED.has(child.nodeName)) continue;
    if (isBlock(child)) { end(); found.push(...blocks(child)); }
    else words += inline(child);
  }
  end();
  return found.filter(Boolean);
}

/** @type {(body: Piece) => string} */
export const markdownOf = (body) => parts(body).join("\n\n");
