import { useStorage } from "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { ends, keepEnd, withNotice } = await import("$/ui/notice_list.js");

const notice = (id, more = {}) => ({ id, level: "success", text: id, ...more });
const show = (...notices) => notices.reduce(withNotice, []).map(({ id }) => id);

test("the three newest notices are shown", () => {
  assert.deepEqual(show(notice("a"), notice("b"), notice("c"), notice("d")), ["b", "c", "d"]);
});

test("a notice replaces one with the same text and those about the same subject", () => {
  assert.deepEqual(show(notice("a", { text: "Saved" }), notice("b", { text: "Saved" })), ["b"]);
  assert.deepEqual(show(notice("a", { subject: "team.1" }), notice("b"), notice("c", { subject: "team.1" })), ["b", "c"]);
});

test("notices about nothing in particular stand side by side", () => {
  assert.deepEqual(show(notice("a", { subject: "" }), notice("b", { subject: "" })), ["a", "b"]);
});

test("one without a text withdraws the errors about its subject alone", () => {
  const error = notice("error", { level: "error", subject: "team.1" });
  const success = notice("success", { subject: "team.1", text: "Saved" });
  const withdrawal = notice("none", { text: "", subject: "team.1" });
  assert.deepEqual(show(error, withdrawal), []);
  assert.deepEqual(show(success, withdrawal), ["success"]);
});

test("only the newest offers to undo, also while an error is withdrawn", () => {
  const shown = [notice("a", { undo: "1" }), notice("b", { undo: "2" }), notice("none", { text: "" })].reduce(withNotice, []);
  assert.deepEqual(shown.map(({ id, undo }) => [id, undo]), [["a", ""], ["b", "2"]]);
});

test("ends are remembered, those of the twenty newest notices", () => {
  useStorage();
  assert.deepEqual(ends(), {});
  for (let number = 0; number < 25; number++) keepEnd(`n${number}`, number);
  assert.deepEqual(Object.keys(ends()), Array.from({ length: 20 }, (_, place) => `n${place + 5}`));
  keepEnd("n24", 0);
  assert.equal(ends().n24, 0);
});

test("a storage that holds something else is no error", () => {
  useStorage();
  sessionStorage.setItem("notices", "no JSON");
  assert.deepEqual(ends(), {});
});
