import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { markdownOf } = await import("$/ui/pasted_markdown.js");

const text = (words) => ({ nodeType: 3, nodeName: "#text", textContent: words, childNodes: [] });
function element(name, attributes, ...children) {
  const childNodes = children.map((child) => (typeof child === "string" ? text(child) : child));
  const textContent = childNodes.map((child) => child.textContent).join("");
  return { nodeType: 1, nodeName: name, textContent, childNodes, getAttribute: (attribute) => attributes[attribute] ?? null };
}
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
