import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const TEXTS = { "What we do": "What we did", "__proto__": "no text", "constructor": "no text either" };
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify({ texts: TEXTS }) }) };
const { beforeLastWord, lastWord, unbroken, words } = await import("$/ui/words.js");

test("a changed text is shown in place of its original", () => {
  assert.equal(words("What we do"), "What we did");
  assert.equal(words("What we leave"), "What we leave");
  assert.equal(words("toString"), "toString");
});

test("the last word of a text has an element of its own", () => {
  for (const [text, last] of [["See all areas", "areas"], ["Areas", "Areas"], ["", ""]]) {
    assert.equal(lastWord(text), last);
    assert.equal(beforeLastWord(text) + last, text);
  }
});

test("only hyphenated words of a title are kept whole", () => {
  const kept = (title) => unbroken(title).filter((piece) => typeof piece === "object").map(({ children }) => children);
  assert.deepEqual(kept("Scale your growth-stage venture"), ["growth-stage"]);
  assert.deepEqual(kept("First-hand words, hand-picked"), ["First-hand", "hand-picked"]);
  assert.deepEqual(kept("Why founders choose us"), []);
  assert.deepEqual(unbroken("Why founders choose us"), ["Why founders choose us"]);
});
