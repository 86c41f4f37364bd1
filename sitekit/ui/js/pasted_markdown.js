// @ts-check
// Markdown for what is copied from a word processor or a page; the kinds that sitekit/records/fields/markdown.py knows.

/** @typedef {{ nodeType: number, nodeName: string, textContent: string | null, childNodes: Iterable<any>, getAttribute?: (name: string) => string | null }} Piece */
/** @typedef {{ isBold: boolean, isItalic: boolean, href: string }} Look */
/** @typedef {Look & { text: string }} Run */
/** @typedef {{ level: number, sign: string, words: string }} Item */

const BLOCKS = new Set(("P DIV LI UL OL BLOCKQUOTE H1 H2 H3 H4 H5 H6 TABLE CAPTION THEAD TBODY TFOOT TR TD TH SECTION ARTICLE MAIN "
  + "HEADER FOOTER ASIDE NAV ADDRESS FIGURE FIGCAPTION DETAILS SUMMARY DL DT DD PRE HR").split(" "));
const SKIPPED = new Set(["STYLE", "SCRIPT", "HEAD", "META", "TITLE", "IMG", "SVG", "RP", "RT"]);
const BOLD = 1;
const ITALIC = 2;
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

const styleOf = (/** @type {Piece} */ piece) => piece.getAttribute?.("style") ?? "";
const isSkipped = (/** @type {Piece} */ piece) => SKIPPED.has(piece.nodeName.toUpperCase()) || /mso-list:\s*ignore/i.test(styleOf(piece));
const isBlock = (/** @type {Piece} */ piece) => BLOCKS.has(piece.nodeName) || [...piece.childNodes].some(isBlock);

/** @type {(piece: Piece, around: Look) => Look} */
function lookOf(piece, around) {
  // Not Word's "mso-bidi-font-weight". Google Docs wraps all of it in a <b> of normal weight.
  const weight = /(?:^|[;\s])font-weight:\s*(\w+)/.exec(styleOf(piece))?.[1] ?? "";
  const slant = /(?:^|[;\s])font-style:\s*(\w+)/.exec(styleOf(piece))?.[1];
  const href = piece.nodeName === "A" ? piece.getAttribute?.("href") ?? "" : "";
  return {
    isBold: /^(bold|[6-9]00)/.test(weight) || (!/^(normal|[1-5]00)/.test(weight) && (around.isBold || /^(B|STRONG)$/.test(piece.nodeName))),
    isItalic: slant === "italic" || (slant !== "normal" && (around.isItalic || /^(I|EM)$/.test(piece.nodeName))),
    href: /^(https?:|mailto:|tel:|\/(?!\/))/i.test(href) ? href : around.href,
  };
}

/** @type {(piece: Piece, around: Look) => Run[]} */
function runs(piece, around) {
  if (piece.nodeType === 3) return [{ ...around, text: (piece.textContent ?? "").replace(INVISIBLE, "").replace(/\s+/g, " ") }];
  if (piece.nodeType !== 1 || isSkipped(piece)) return [];
  if (piece.nodeName === "BR") return [{ ...around, text: "\n" }];
  const inner = [...piece.childNodes].flatMap((child) => runs(child, lookOf(piece, around)));
  return BLOCKS.has(piece.nodeName) ? [{ ...around, text: " " }, ...inner, { ...around, text: " " }] : inner;
}

// CommonMark reads no mark beside a space, nor one between a sign and a letter: these stay outside at the ends of a look.
/** @type {(text: string, looks: number[], look: number) => void} */
function narrow(text, looks, look) {
  const kind = (/** @type {number} */ at) => looks[at] & (look === BOLD ? BOLD : BOLD | ITALIC);
  const isLetter = (/** @type {number} */ at) => /[^\s\p{P}\p{S}]/u.test(text[at] ?? " ");
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (end < text.length && kind(end) === kind(start)) end += 1;
    if (!(looks[start] & look)) continue;
    const words = text.slice(start, end);
    const [before] = (isLetter(start - 1) ? /^(\s+|[\p{P}\p{S}][\s\p{P}\p{S}]*|)/u : /^\s*/).exec(words) ?? [""];
    const [after] = (isLetter(end) ? /(\s+|[\s\p{P}\p{S}]*[\p{P}\p{S}]|)$/u : /\s*$/).exec(words) ?? [""];
    // Three changes in one word cannot be written.
    const isLost = look === ITALIC && /\S/.test(text[start - 1] ?? " ") && (looks[start - 1] & looks[start]) > 0;
    for (let at = start; at < end; at += 1) if (isLost || at < start + before.length || at >= end - after.length) looks[at] &= ~look;
  }
}

/** @type {(runs: Run[]) => string} */
function marked(runs) {
  const text = runs.map((run) => run.text).join("");
  const looks = runs.flatMap((run) => Array(run.text.length).fill((run.isBold ? BOLD : 0) | (run.isItalic ? ITALIC : 0)));
  narrow(text, looks, BOLD);
  narrow(text, looks, ITALIC);
  return [...looks, 0].map((look, at) => {
    const [ends, begins] = [looks[at - 1] & ~look, look & ~looks[at - 1]];
    const marks = [ends & ITALIC && "*", ends & BOLD && "**", begins & BOLD && "**", begins & ITALIC && "*"].filter(Boolean).join("");
    return marks + (text[at] ?? "").replace(/[*_[\]\\]/, "\\$&");
  }).join("");
}

/** @type {(runs: Run[]) => string} */
function line(runs) {
  let written = "";
  for (let end = 0, start = 0; start < runs.length; start = end) {
    const { href } = runs[start];
    while (runs[end]?.href === href) end += 1;
    const address = href.replace(/[()\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
    written += marked(runs.slice(start, end)).replace(/\S(.*\S)?/s, (words) => (address ? `[${words}](${address})` : words));
  }
  // An exclamation mark before a link would make it a picture.
  return written.replace(/\s+/g, " ").replace(/!(?=\[)/g, "\\!").trim();
}

// Not a list, a heading or a quotation because of its first signs.
const paragraph = (/** @type {string} */ text) => text.replace(/^(>|([-+]|#{1,6})(?!\S))/, "\\$&").replace(/^(\d{1,9})(?=[.)](?!\S))/, "$1\\");

/** @type {(runs: Run[]) => string[]} */
function paragraphs(runs) {
  /** @type {Run[][]} */
  const lines = [[]];
  for (const run of runs) run.text === "\n" ? lines.push([]) : lines.at(-1)?.push(run);
  return lines.map((words) => paragraph(line(words))).filter(Boolean);
}

/** @type {(runs: Run[]) => string} */
const inOneLine = (runs) => line(runs.map((run) => ({ ...run, text: run.text.replace("\n", " ") })));
const indented = (/** @type {string} */ text, /** @type {string} */ first) =>
  first + text.replace(/\n(?!\n)/g, `\n${" ".repeat(first.length)}`);
// A list stands close to the words before it, if it can interrupt them.
const joined = (/** @type {string[]} */ blocks) => blocks.reduce((text, block) => `${text}\n${/^(- |1\. )/.test(block) ? "" : "\n"}${block}`);

/** @type {(list: Piece, look: Look) => (string | Item)[]} */
function listed(list, look) {
  /** @type {{ level: number, sign: string, words: string[] }[]} */
  const items = [];
  /** @type {string[]} */
  const before = [];
  let number = Number(/^\d{1,8}$/.exec(list.getAttribute?.("start") ?? "") ?? 1);
  for (const child of list.childNodes) {
    const words = child.nodeName === "LI" ? parts(child.childNodes, lookOf(child, look)) : parts([child], look);
    const level = Number(child.getAttribute?.("data-aria-level") ?? 0);
    // Google Docs puts an inner list beside the items, others into an item of its own: it belongs to the item before.
    if (child.nodeName === "LI" && words.length && !/^(- |\d+\. )/.test(words[0])) {
      items.push({ level, sign: list.nodeName === "OL" ? `${number}. ` : "- ", words });
      number += 1;
    } else (items.at(-1)?.words ?? before).push(...words);
  }
  // Word's pages have a list for each item, which knows its level.
  if (items[0]?.level) return [...before, ...items.map((item) => ({ ...item, words: joined(item.words) }))];
  return [...before, items.map((item) => indented(joined(item.words), item.sign)).join("\n")];
}

/** @type {(row: Piece, look: Look) => string[]} */
function cells(row, look) {
  const all = [...row.childNodes].filter((cell) => /^T[DH]$/.test(cell.nodeName));
  const filled = all.map((cell) => parts(cell.childNodes, look)).filter((words) => words.length);
  // A page may be laid out in cells.
  if (filled.length < 2 && (all.length < 2 || filled[0]?.length > 1)) return filled.flat();
  return [paragraph(all.map((cell) => inOneLine(runs(cell, look))).join(" | ").replace(/[ |]+$/, "").replace(/ +/g, " ").trim())];
}

/** @type {(piece: Piece) => string} */
const typed = (piece) =>
  piece.nodeType === 3 ? piece.textContent ?? "" : [...piece.childNodes].map(typed).join("") + (piece.nodeName === "BR" || BLOCKS.has(piece.nodeName) ? "\n" : "");

/** @type {(piece: Piece, around: Look) => (string | Item)[]} */
function blocks(piece, around) {
  const look = lookOf(piece, around);
  const level = /^H([1-6])$/.exec(piece.nodeName)?.[1] ?? (piece.getAttribute?.("role") === "heading" && piece.getAttribute("aria-level"));
  const title = level && inOneLine(runs(piece, look).map((run) => ({ ...run, isBold: false }))).replace(/(^| )(#+)$/, "$1\\$2");
  if (level) return title ? [`${Number(level) > 2 ? "###" : "##"} ${title}`] : [];
  // Word's lists are paragraphs with a style, and with the number or the dot of the item as text.
  const depth = Number(/mso-list:[^;]*level(\d)/i.exec(styleOf(piece))?.[1]);
  const sign = /^\s*\(?(\d|[a-z]{1,4}[.)])/i.test(piece.textContent ?? "") ? "1. " : "- ";
  const words = depth && paragraphs(runs(piece, look)).join("\n\n");
  if (depth) return words ? [{ level: depth, sign, words }] : [];
  if (piece.nodeName === "UL" || piece.nodeName === "OL") return listed(piece, look);
  if (piece.nodeName === "TR") return cells(piece, look);
  // Lines that are shown as they were typed, such as Markdown itself.
  if (piece.nodeName === "PRE") return typed(piece).split(/\s*\n/);
  if (piece.nodeName === "BLOCKQUOTE") return [parts(piece.childNodes, look).join("\n\n").replace(/^(?=[\s\S])/gm, "> ")];
  return pieces(piece.childNodes, look);
}

/** @type {(children: Iterable<Piece>, look: Look) => (string | Item)[]} */
function pieces(children, look) {
  /** @type {(string | Item)[]} */
  const found = [];
  /** @type {Run[]} */
  let words = [];
  const end = () => { found.push(...paragraphs(words)); words = []; };
  for (const child of children) {
    if (isSkipped(child)) continue;
    if (isBlock(child)) { end(); found.push(...blocks(child, look)); }
    else words.push(...runs(child, look));
  }
  end();
  return found.filter(Boolean);
}

/** @type {(children: Iterable<Piece>, look: Look) => string[]} */
function parts(children, look) {
  let widths = [0];
  return pieces(children, look).map((block) => {
    if (typeof block === "string") { widths = [0]; return block; }
    widths = widths.slice(0, block.level);
    const first = " ".repeat(widths.at(-1) ?? 0) + block.sign;
    widths.push(first.length);
    return indented(block.words, first);
  });
}

/** @type {(body: Piece) => string} */
export const markdownOf = (body) => parts(body.childNodes, { isBold: false, isItalic: false, href: "" }).join("\n\n");
