// @ts-check
// Markdown for what is copied from a word processor or a page; the kinds that sitekit/records/fields/markdown.py knows.

/** @typedef {{ nodeType: number, nodeName: string, textContent: string | null, childNodes: Iterable<any>, getAttribute?: (name: string) => string | null }} Piece */
/** @typedef {{ isBold: boolean, isItalic: boolean, href: string }} Look */
/** @typedef {Look & { text: string }} Run */
/** @typedef {{ level: number, sign: string, text: string }} Item */

const BLOCKS = new Set(("P DIV LI UL OL BLOCKQUOTE H1 H2 H3 H4 H5 H6 TABLE CAPTION THEAD TBODY TFOOT TR TD TH SECTION ARTICLE MAIN "
  + "HEADER FOOTER ASIDE NAV ADDRESS FIGURE FIGCAPTION DETAILS SUMMARY DL DT DD PRE HR").split(" "));
const SKIPPED = new Set(["STYLE", "SCRIPT", "HEAD", "META", "TITLE", "IMG", "SVG", "RP", "RT"]);
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const PLAIN = { isBold: false, isItalic: false, href: "" };
const BOLD = 1;
const ITALIC = 2;

const styleOf = (/** @type {Piece} */ piece) => piece.getAttribute?.("style") ?? "";
const isSkipped = (/** @type {Piece} */ piece) => SKIPPED.has(piece.nodeName.toUpperCase()) || /mso-list:\s*ignore/i.test(styleOf(piece));
/** @type {(piece: Piece) => boolean} */
const isBlock = (piece) => !isSkipped(piece) && (BLOCKS.has(piece.nodeName) || [...piece.childNodes].some(isBlock));

/** @type {(piece: Piece, around: Look) => Look} */
function lookOf(piece, around) {
  const name = piece.nodeName;
  // Not Word's "mso-bidi-font-weight". Google Docs wraps all of it in a <b> of normal weight.
  const [, weight = /^(B|STRONG)$/.test(name) && "bold"] = /(?<![-\w])font-weight:\s*(normal|bold|\d00)/.exec(styleOf(piece)) ?? [];
  const [, slant = /^(I|EM)$/.test(name) && "italic"] = /(?<![-\w])font-style:\s*(normal|italic)/.exec(styleOf(piece)) ?? [];
  const href = (name === "A" && piece.getAttribute?.("href")) || "";
  return {
    isBold: weight ? /bold|[6-9]00/.test(weight) : around.isBold,
    isItalic: slant ? slant === "italic" : around.isItalic,
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

/** @type {(runs: Run[]) => string} */
function emphasised(runs) {
  const text = runs.map((run) => run.text).join("");
  const looks = runs.flatMap((run) => Array(run.text.length).fill((run.isBold ? BOLD : 0) | (run.isItalic ? ITALIC : 0)));
  const isLetter = (/** @type {number} */ at) => /[^\s\p{P}\p{S}]/u.test(text[at] ?? " ");
  for (const look of [BOLD, ITALIC]) {
    for (const { 0: { length }, index: start } of looks.join("").matchAll(look === BOLD ? /[13]+/g : /2+|3+/g)) {
      const end = start + length;
      const words = text.slice(start, end);
      // CommonMark reads no mark beside a space, nor one between a sign and a letter: these stay outside.
      const [before] = (isLetter(start - 1) ? /^(\s+|[\p{P}\p{S}][\s\p{P}\p{S}]*|)/u : /^\s*/).exec(words) ?? [""];
      const [after] = (isLetter(end) ? /(\s+|[\s\p{P}\p{S}]*[\p{P}\p{S}]|)$/u : /\s*$/).exec(words) ?? [""];
      // Three changes in one word cannot be written.
      const isLost = look === ITALIC && /\S/.test(text[start - 1] ?? " ") && (looks[start - 1] & looks[start]) > 0;
      for (let at = start; at < end; at += 1) if (isLost || at < start + before.length || at >= end - after.length) looks[at] &= ~look;
    }
  }
  return [...looks, 0].map((look, at) => {
    const [ends, begins] = [looks[at - 1] & ~look, look & ~looks[at - 1]];
    const marks = [ends & ITALIC && "*", ends & BOLD && "**", begins & BOLD && "**", begins & ITALIC && "*"].filter(Boolean).join("");
    return marks + (text[at] ?? "").replace(/[*_[\]\\]/, "\\$&");
  }).join("");
}

/** @type {(runs: Run[]) => string} */
function lines(runs) {
  let written = "";
  for (let end = 0, start = 0; start < runs.length; start = end) {
    const { href } = runs[start];
    while (runs[end]?.href === href) end += 1;
    const address = href.replace(/[()\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
    written += emphasised(runs.slice(start, end)).replace(/\S(.*\S)?/s, (words) => (address ? `[${words}](${address})` : words));
  }
  // An exclamation mark before a link would make it a picture.
  return written.replace(/!(?=\[)/g, "\\!");
}

/** @type {(runs: Run[]) => string} */
const inOneLine = (runs) => lines(runs).replace(/\s+/g, " ").trim();

// Not a list, a heading or a quotation because of its first signs.
const paragraph = (/** @type {string} */ text) => text.replace(/^(>|([-+]|#{1,6})(?!\S))/, "\\$&").replace(/^(\d{1,9})(?=[.)](?!\S))/, "$1\\");

/** @type {(runs: Run[]) => string[]} */
function paragraphs(runs) {
  const broken = lines(runs.map((run) => (run.text === "\n" ? { ...PLAIN, text: "\n" } : run)));
  return broken.split("\n").map((line) => paragraph(line.replace(/\s+/g, " ").trim())).filter(Boolean);
}

const indented = (/** @type {string} */ text, /** @type {string} */ first) =>
  first + text.replace(/\n(?!\n)/g, `\n${" ".repeat(first.length)}`);
// A list stands close to the words before it, if it can interrupt them.
const joined = (/** @type {string[]} */ blocks) => blocks.reduce((text, block) => `${text}\n${/^(- |1\. )/.test(block) ? "" : "\n"}${block}`);

/** @type {(list: Piece, look: Look) => (string | Item)[]} */
function items(list, look) {
  /** @type {{ level: number, sign: string, blocks: string[] }[]} */
  const found = [];
  /** @type {string[]} */
  const before = [];
  const isNumbered = list.nodeName === "OL";
  const first = Number(/^\d{1,8}$/.exec(list.getAttribute?.("start") ?? "") ?? 1);
  for (const child of list.childNodes) {
    const isItem = child.nodeName === "LI";
    const blocks = isItem ? parts(child.childNodes, lookOf(child, look)) : parts([child], look);
    // Google Docs puts an inner list beside the items, others into an item of its own: it belongs to the item before.
    if (!isItem || !blocks.length || /^(- |\d+\. )/.test(blocks[0])) (found.at(-1)?.blocks ?? before).push(...blocks);
    else found.push({ level: Number(child.getAttribute("data-aria-level")), sign: isNumbered ? `${first + found.length}. ` : "- ", blocks });
  }
  // Word's pages have a list for each item, which knows its level.
  if (found[0]?.level) return [...before, ...found.map((item) => ({ ...item, text: joined(item.blocks) }))];
  return [...before, found.map((item) => indented(joined(item.blocks), item.sign)).join("\n")];
}

/** @type {(row: Piece, look: Look) => string[]} */
function cells(row, look) {
  const all = [...row.childNodes].filter((cell) => /^T[DH]$/.test(cell.nodeName));
  const filled = all.map((cell) => parts([cell], look)).filter((blocks) => blocks.length);
  // A page may be laid out in cells.
  if (filled.length < 2 && (all.length < 2 || filled[0]?.length > 1)) return filled.flat();
  return [paragraph(inOneLine(all.flatMap((cell) => [...runs(cell, look), { ...PLAIN, text: " | " }])).replace(/[ |]+$/, ""))];
}

/** @type {(piece: Piece) => string} */
const typed = (piece) =>
  piece.nodeType === 3 ? piece.textContent ?? "" : [...piece.childNodes].map(typed).join("") + (piece.nodeName === "BR" || BLOCKS.has(piece.nodeName) ? "\n" : "");

/** @type {(piece: Piece, around: Look) => Iterable<string | Item>} */
function blocks(piece, around) {
  const look = lookOf(piece, around);
  const heading = /^H([1-6])$/.exec(piece.nodeName)?.[1] ?? (piece.getAttribute?.("role") === "heading" && piece.getAttribute("aria-level"));
  if (heading) {
    const title = inOneLine(runs(piece, look).map((run) => ({ ...run, isBold: false }))).replace(/(^| )(#+)$/, "$1\\$2");
    return [title && `${Number(heading) > 2 ? "###" : "##"} ${title}`];
  }
  // Word's lists are paragraphs with a style, and with the number or the dot of the item as text.
  const level = Number(/mso-list:[^;]*level(\d)/i.exec(styleOf(piece))?.[1]);
  if (level) {
    const text = paragraphs(runs(piece, look)).join("\n\n");
    const sign = /^\s*\(?(\d|[a-z]{1,4}[.)])/i.test(piece.textContent ?? "") ? "1. " : "- ";
    return [text && { level, sign, text }];
  }
  switch (piece.nodeName) {
    case "UL": case "OL": return items(piece, look);
    case "TR": return cells(piece, look);
    // Lines that are shown as they were typed, such as Markdown itself.
    case "PRE": return typed(piece).split(/\s*\n/);
    case "BLOCKQUOTE": return [parts(piece.childNodes, look).join("\n\n").replace(/^(?=[\s\S])/gm, "> ")];
  }
  return pieces(piece.childNodes, look);
}

/** @type {(children: Iterable<Piece>, look: Look) => Generator<string | Item>} */
function* pieces(children, look) {
  /** @type {Run[]} */
  let words = [];
  for (const child of children) {
    if (isBlock(child)) {
      yield* paragraphs(words);
      yield* blocks(child, look);
      words = [];
    } else words.push(...runs(child, look));
  }
  yield* paragraphs(words);
}

/** @type {(children: Iterable<Piece>, look: Look) => string[]} */
function parts(children, look) {
  let widths = [0];
  return [...pieces(children, look)].filter(Boolean).map((block) => {
    if (typeof block === "string") { widths = [0]; return block; }
    widths = widths.slice(0, block.level);
    const first = " ".repeat(widths.at(-1) ?? 0) + block.sign;
    widths.push(first.length);
    return indented(block.text, first);
  });
}

/** @type {(body: Piece) => string} */
export const markdownOf = (body) => parts(body.childNodes, PLAIN).join("\n\n");
