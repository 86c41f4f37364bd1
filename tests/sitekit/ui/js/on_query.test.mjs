import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { OnQuery } = await import("$/ui/on_query.jsx");

test("a notice is shown for its query alone, apart from what campaigns add", () => {
  const shown = (search) => {
    globalThis.location.search = search;
    return OnQuery({ query: "email=confirmed", ignored: "^(?:utm_[^=]*|gclid)(?:=|$)", children: "Confirmed" });
  };
  for (const search of ["", "?email=confirmed", "?UTM_source=x&email=confirmed&utm_id=&gclid"])
    assert.equal(shown(search), search && "Confirmed" || null, search);
  for (const search of ["?email=confirmed&x=1", "?email=confirmed&gclids=1", "?email=confirmed&"])
    assert.equal(shown(search), null, search);
});
