import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { takeTurn } = await import("$/ui/uploads.js");

test("uploads run one after another, and one that is cancelled while it waits never starts", () => {
  const started = [];
  const [first, second, third] = ["first", "second", "third"].map((name) => takeTurn(() => started.push(name)));
  assert.deepEqual(started, ["first"]);
  second();
  first();
  assert.deepEqual(started, ["first", "third"]);
  first();
  const fourth = takeTurn(() => started.push("fourth"));
  assert.deepEqual(started, ["first", "third"]);
  third();
  assert.deepEqual(started, ["first", "third", "fourth"]);
  fourth();
});
