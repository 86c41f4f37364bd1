import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { changedAddress, parameterOf } = await import("$/ui/address.js");
const AT = { pathname: "/admin", search: "?tab=team&search=lee&page=3" };

test("a change keeps the other parameters and begins at the first page again", () => {
  assert.deepEqual(changedAddress(AT, { sort: "name" }), { pathname: "/admin", search: "tab=team&search=lee&sort=name" });
});

test("an empty text or nothing removes a parameter", () => {
  assert.equal(changedAddress(AT, { search: "", tab: null }).search, "");
});

test("another page keeps the search, and the first one is not in the address", () => {
  assert.equal(changedAddress(AT, { page: 4 }).search, "tab=team&search=lee&page=4");
  assert.equal(changedAddress(AT, { page: 1 }).search, "tab=team&search=lee");
});

test("a text with special characters is found again", () => {
  const search = "R&D = 50% + ü";
  assert.equal(parameterOf(changedAddress(AT, { search }), "search"), search);
});

test("a parameter that is not there is an empty text", () => {
  assert.equal(parameterOf(AT, "sort"), "");
});
