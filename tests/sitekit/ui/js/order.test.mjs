import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { shiftOf, targetOf, withMoved } = await import("$/ui/order.js");
// Three rows of 40 px with gaps of 10.
const BOXES = [100, 150, 200].map((top) => ({ top, height: 40 }));

test("a row stays until it passes the middle of its neighbour", () => {
  assert.deepEqual(targetOf(BOXES, 0, 30), { to: 0, by: 30 });
  assert.deepEqual(targetOf(BOXES, 0, 31), { to: 1, by: 31 });
  assert.deepEqual(targetOf(BOXES, 2, -29), { to: 2, by: -29 });
  assert.deepEqual(targetOf(BOXES, 2, -31), { to: 1, by: -31 });
});

test("a row moves over several others", () => {
  assert.equal(targetOf(BOXES, 0, 95).to, 2);
  assert.equal(targetOf(BOXES, 2, -95).to, 0);
});

test("a row does not leave the column", () => {
  assert.deepEqual(targetOf(BOXES, 1, 900), { to: 2, by: 50 });
  assert.deepEqual(targetOf(BOXES, 1, -900), { to: 0, by: -50 });
});

test("rows between the old and the new place make room", () => {
  const shifts = (from, target) => BOXES.map((_, index) => shiftOf(index, from, target, 50));
  assert.deepEqual(shifts(0, { to: 1, by: 44 }), [44, -50, 0]);
  assert.deepEqual(shifts(2, { to: 0, by: -96 }), [50, 50, -96]);
  assert.deepEqual(shifts(1, { to: 1, by: 3 }), [0, 3, 0]);
});

test("a key moves to an index, up and down", () => {
  assert.deepEqual(withMoved(["a", "b", "c"], ["a", "b", "c"], "a", 1), ["b", "a", "c"]);
  assert.deepEqual(withMoved(["a", "b", "c"], ["a", "b", "c"], "a", 2), ["b", "c", "a"]);
  assert.deepEqual(withMoved(["a", "b", "c"], ["a", "b", "c"], "c", 0), ["c", "a", "b"]);
});

test("removed rows keep their places while others are moved", () => {
  assert.deepEqual(withMoved(["a", "gone", "b", "c"], ["a", "b", "c"], "c", 1), ["a", "gone", "c", "b"]);
});
