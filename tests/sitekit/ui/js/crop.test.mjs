import "./environment.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { WHOLE, cropOf, cropStyle, withCrop, withoutCrop } = await import("$/ui/crop.js");
const PICTURE = "/media/0123456789abcdef0123456789abcdef-1600.jpg";

test("an address without a crop shows the whole picture from its middle", () => {
  assert.deepEqual(cropOf(PICTURE), WHOLE);
  assert.equal(cropStyle(PICTURE), undefined);
});

test("a crop that is written is read again", () => {
  for (const crop of [{ x: 0, y: 100, zoom: 1 }, { x: 7, y: 33, zoom: 1.5 }, { x: 50, y: 50, zoom: 3 }]) {
    assert.deepEqual(cropOf(withCrop(PICTURE, crop)), crop);
  }
});

test("a crop replaces the one before, and the whole picture needs none", () => {
  const cropped = withCrop(PICTURE, { x: 10, y: 20, zoom: 2 });
  assert.equal(cropped, `${PICTURE}#10,20,2`);
  assert.equal(withCrop(cropped, { x: 10, y: 20, zoom: 1 }), `${PICTURE}#10,20`);
  assert.equal(withCrop(cropped, WHOLE), PICTURE);
  assert.equal(withoutCrop(cropped), PICTURE);
});

test("what is no crop belongs to the address", () => {
  for (const end of ["#101,0", "#10", "#10,20,4", "#10,20,1.55", "#top"]) {
    assert.equal(withoutCrop(PICTURE + end), PICTURE + end);
    assert.deepEqual(cropOf(PICTURE + end), WHOLE);
  }
});

test("without a zoom only the focal point counts", () => {
  assert.deepEqual(cropStyle(`${PICTURE}#20,80`), { objectPosition: "20% 80%" });
});

test("a zoom cuts off in proportion to the focal point", () => {
  const { objectPosition, scale, transformOrigin, clipPath } = cropStyle(`${PICTURE}#20,80,2`);
  assert.deepEqual([objectPosition, scale, transformOrigin], ["20% 80%", "2", "20% 80%"]);
  // Half of the picture is seen: of the other half, 20 % lie left of it and 80 % above it.
  const cuts = [...clipPath.matchAll(/calc\(([\d.]+)%/g)].map((cut) => Number(cut[1]));
  assert.deepEqual(cuts, [40, 40, 10, 10]);
});
