import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { restoreStep, settle, typedTexts } = await import("$/ui/unsaved_texts.js");

test("a draft has what is typed, and nothing that is added when the form is submitted", () => {
  const form = new FormData();
  for (const [name, text] of Object.entries({ name: "Lee", then: "stay", submission: "1", photo_finding: "none" }))
    form.set(name, text);
  form.set("file", new Blob(["x"]), "x.csv");
  assert.deepEqual(typedTexts(form.entries()), { name: "Lee" });
});

test("a draft that differs from what the form shows is restored", () => {
  assert.equal(restoreStep("new", "old", false, undefined), "restore");
});

test("a draft that the server has just rendered is not requested again", () => {
  assert.equal(restoreStep("new", "old", true, "new"), "keep");
  assert.equal(restoreStep("newer", "old", true, "new"), "restore");
});

test("a draft that shows no change is removed, unless the server has rendered it", () => {
  assert.equal(restoreStep("same", "same", false, undefined), "remove");
  assert.equal(restoreStep("same", "same", true, "same"), "keep");
  assert.equal(restoreStep(null, "old", false, undefined), "remove");
  assert.equal(restoreStep(null, "old", true, undefined), "keep");
});

function save(sent, stored, fields) {
  const shown = {};
  const show = (field, text) => { shown[field.name] = text; };
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]));
  return { texts: settle(sent, stored, (name) => byName[name], show), shown };
}

test("a text that is stored in another form is shown as stored", () => {
  const name = { name: "name", type: "text", value: " Lee " };
  assert.deepEqual(save({ name: " Lee " }, { name: "Lee" }, [name]), { texts: { name: "Lee" }, shown: { name: "Lee" } });
});

test("a text that was edited since is not shown as stored, and counts as a change", () => {
  const name = { name: "name", type: "text", value: "Lee Ann" };
  assert.deepEqual(save({ name: " Lee " }, { name: "Lee" }, [name]), { texts: { name: "Lee" }, shown: {} });
});

test("a hidden field always gets what is stored, as text", () => {
  const version = { name: "version", type: "hidden", value: "9" };
  assert.deepEqual(save({ version: "1" }, { version: 2 }, [version]), { texts: { version: "2" }, shown: { version: "2" } });
});

test("what was not sent, has no field or is a checkbox stays", () => {
  const box = { name: "is_active", type: "checkbox", value: "on" };
  const other = { name: "other", type: "text", value: "" };
  const { texts, shown } = save({ is_active: "on", gone: "x" }, { is_active: "", gone: "y", other: "z" }, [box, other]);
  assert.deepEqual(texts, { is_active: "on", gone: "x" });
  assert.deepEqual(shown, {});
});
