import "./environment.mjs";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { bodyOf, element } from "./html.mjs";

const { markdownOf } = await import("$/ui/pasted_markdown.js");

const pasted = (...children) => markdownOf(element("BODY", {}, ...children));
const p = (...children) => element("P", {}, ...children);

test("paragraphs, emphasis and links stay", () => {
  const link = element("A", { href: "https://firm.example/a(b)" }, "a link");
  assert.equal(pasted(p("One ", element("B", {}, "bold "), "and ", element("I", {}, "so"), "."), "\n", p(link)),
    "One **bold** and *so*.\n\n[a link](https://firm.example/a%28b%29)");
  assert.equal(pasted(p(element("A", { href: "javascript:alert(1)" }, "words"))), "words");
  assert.equal(pasted(p("one", element("BR", {}), "two")), "one\n\ntwo");
});

test("a document of Google is not bold as a whole", () => {
  const bold = element("SPAN", { style: "font-weight:700" }, "this");
  assert.equal(pasted(element("B", { style: "font-weight:normal" }, p("Only ", bold))), "Only **this**");
});

test("headings have two levels, and lists and quotations may be nested", () => {
  const inner = element("UL", {}, element("LI", {}, "deep"));
  assert.equal(pasted(element("H1", {}, element("B", {}, "Title")), element("H4", {}, "Part")), "## Title\n\n### Part");
  assert.equal(pasted(element("OL", {}, element("LI", {}, p("one"), inner), element("LI", {}, "two"))), "1. one\n   - deep\n2. two");
  assert.equal(pasted(element("BLOCKQUOTE", {}, p("a"), p("b"))), "> a\n> \n> b");
});

test("lists of Word stay lists", () => {
  const item = (level, mark, words) => element("P", { style: `mso-list:l0 level${level} lfo1` },
    element("SPAN", { style: "mso-list:Ignore" }, `${mark}   `), words);
  assert.equal(pasted(item(1, "·", "one"), item(2, "·", "deep"), item(1, "2.", "two")), "- one\n\n  - deep\n\n1. two");
});

test("what is typed as signs stays text", () => {
  assert.equal(pasted(p("a_b *c* [d] \\e")), "a\\_b \\*c\\* \\[d\\] \\\\e");
  assert.equal(pasted(element("STYLE", {}, "p{}"), p("  ")), "");
});

const FOLDER = new URL("pastes/", import.meta.url);
const read = (file) => readFileSync(new URL(file, FOLDER), "utf8");
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".html"))) {
  test(`what is copied as ${file} is pasted as the Markdown beside it`, () => {
    assert.equal(markdownOf(bodyOf(read(file))), read(file.replace(".html", ".md")).slice(0, -1));
  });
}

test("what stands between the items of a list belongs to the item before it", () => {
  assert.equal(markdownOf(bodyOf("<ol><li>one</li><div>more</div>words<li>two</li></ol>")), "1. one\n\n   more\n\n   words\n2. two");
  assert.equal(markdownOf(bodyOf("<ul><ul><li>deep</li></ul><li>one</li></ul>")), "- deep\n\n- one");
});

test("bold and italic words that meet letters or signs show no marks", () => {
  const cases = {
    "<b>Net</b><b>work</b>": "**Network**",
    "<b>Net</b><i>work</i>": "**Net***work*",
    "<i>Net</i><b><i>work</i></b>": "*Net***work**",
    "<i>收入：</i>增长": "*收入*：增长",
    "增长<b>（收入）</b>增长": "增长（**收入**）增长",
    "<b>Revenue: </b>up": "**Revenue:** up",
    "a<b>!</b>b": "a!b",
    "<b>a <i>b</i> c</b>": "**a *b* c**",
    "<b>See <a href='https://x.example'>this</a></b>now": "**See** [**this**](https://x.example)now",
  };
  for (const [html, markdown] of Object.entries(cases)) assert.equal(markdownOf(bodyOf(html)), markdown);
});

test("Markdown that a page shows as it was typed stays Markdown", () => {
  const block = "<pre># Title<br>\n- **one**\n  - two\n</pre><p>After</p>";
  assert.equal(markdownOf(bodyOf(block)), "# Title\n\n- **one**\n\n  - two\n\nAfter");
});

test("a paragraph is no list, heading or quotation because of its first signs", () => {
  const lines = ["2024. A year", "1) one", "# hash", "> 5", ">5", "- dash", "+ plus", "-", "7."];
  const written = ["2024\\. A year", "1\\) one", "\\# hash", "\\> 5", "\\>5", "\\- dash", "\\+ plus", "\\-", "7\\."];
  assert.deepEqual(lines.map((line) => pasted(p(`\u200b ${line}`))), written);
  assert.equal(pasted(p("2.4m"), p("-5%"), p("#tag"), p("+65 1234")), "2.4m\n\n-5%\n\n#tag\n\n+65 1234");
});

test("a break ends a link in a paragraph, but not in a title or a cell, which have one line", () => {
  const link = "<a href='https://x.example'>one<br>two</a>";
  assert.equal(markdownOf(bodyOf(`<p>${link}</p>`)), "[one](https://x.example)\n\n[two](https://x.example)");
  assert.equal(markdownOf(bodyOf(`<h2>${link}</h2>`)), "## [one two](https://x.example)");
  assert.equal(markdownOf(bodyOf(`<table><tr><td>${link}</td><td>b</td></tr></table>`)), "[one two](https://x.example) | b");
});
