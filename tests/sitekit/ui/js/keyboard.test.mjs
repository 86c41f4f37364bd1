import assert from "node:assert/strict";
import { test } from "node:test";
import "./environment.mjs";
import { isCommand, isComposing } from "../../../../sitekit/ui/js/keyboard.js";

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const pressed = (key, code, held = { ctrlKey: true }) => ({ ...NONE, ...held, key, code });

test("a command is its letter, wherever the keyboard has it", () => {
  for (const [key, code] of [
    ["s", "KeyS"], // Latin
    ["S", "KeyS"], // Caps Lock
    ["ы", "KeyS"], // Russian
    ["σ", "KeyS"], // Greek
    ["ד", "KeyS"], // Hebrew
    ["s", "Semicolon"], // Dvorak
  ]) assert.ok(isCommand(pressed(key, code), "s"), key);
  assert.ok(isCommand(pressed("я", "KeyZ", { metaKey: true }), "z"));
});

test("another key is no command, and neither is one with more keys", () => {
  assert.ok(!isCommand(pressed("o", "KeyS"), "s")); // Dvorak has another letter there
  assert.ok(!isCommand(pressed("z", "KeyY"), "y")); // German
  assert.ok(!isCommand(pressed("S", "KeyS", { ctrlKey: true, shiftKey: true }), "s")); // a screenshot in Firefox
  assert.ok(!isCommand(pressed("ś", "KeyS", { ctrlKey: true, altKey: true }), "s")); // AltGr on Windows
  assert.ok(!isCommand(pressed("s", "KeyS", {}), "s"));
});

test("composing shows in the event, or in the key code where a browser ends it first", () => {
  assert.ok(isComposing({ isComposing: true, keyCode: 27 }));
  assert.ok(isComposing({ isComposing: false, keyCode: 229 })); // Safari, at the Enter that ends it
  assert.ok(isComposing({ nativeEvent: { isComposing: true } })); // React's event
  assert.ok(!isComposing({ isComposing: false, keyCode: 13 }));
  assert.ok(!isComposing({ type: "compositionend" }));
});
