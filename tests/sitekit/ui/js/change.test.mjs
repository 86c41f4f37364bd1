import "./environment.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const { render, unmount } = await import("react");
const { useChange } = await import("$/ui/change.js");

beforeEach(unmount);

test("the effect runs for each change, and not for the first value", () => {
  const seen = [];
  for (const value of [1, 1, 2, 2, 1]) render(() => useChange(value, () => seen.push(value)));
  assert.deepEqual(seen, [2, 1]);
});

test("the effect is that of the latest render", () => {
  const seen = [];
  for (const [value, name] of [[1, "first"], [2, "second"]]) render(() => useChange(value, () => seen.push(name)));
  assert.deepEqual(seen, ["second"]);
});
