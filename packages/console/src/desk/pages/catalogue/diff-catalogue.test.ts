import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { diffCatalogue } from "./diff-catalogue.ts";

const fra = { id: "fra", name: "Frankfurt", country: "DE" };
const ams = { id: "ams", name: "Amsterdam", country: "NL" };
const offer = { regionId: "fra", weeklyUsd: 20, monthlyUsd: 60 };
const metal = { id: "metal-s", name: "Metal S", offers: [offer] };
const document = {
  regions: [fra, ams],
  configurations: [metal],
  discounts: [{ minQuantity: 5, percent: 5 }],
};

describe("what differs between two catalogues", () => {
  test("a price is told by configuration and region", () => {
    const dearer = { ...metal, offers: [{ ...offer, weeklyUsd: 22.5 }] };
    assert.deepEqual(diffCatalogue(document, { ...document, configurations: [dearer] }), [
      { path: "configurations › metal-s › offers › fra › weeklyUsd", before: "20", after: "22.5" },
    ]);
  });

  test("one that is put at the front is one more, and the others are the same", () => {
    const osl = { id: "osl", name: "Oslo", country: "NO" };
    assert.deepEqual(diffCatalogue(document, { ...document, regions: [osl, fra, ams] }), [
      { path: "regions › osl", before: undefined, after: JSON.stringify(osl) },
    ]);
  });

  test("what is gone is told, and so is a list that is", () => {
    const { discounts: _discounts, ...rest } = document;
    assert.deepEqual(diffCatalogue(document, { ...rest, regions: [fra] }), [
      { path: "regions › ams", before: JSON.stringify(ams), after: undefined },
      { path: "discounts", before: JSON.stringify(document.discounts), after: undefined },
    ]);
  });

  test("another order alone is a difference too", () => {
    assert.deepEqual(diffCatalogue(document, { ...document, regions: [ams, fra] }), [
      { path: "regions › order", before: "fra, ams", after: "ams, fra" },
    ]);
  });

  test("equal documents have no difference", () => {
    assert.deepEqual(diffCatalogue(document, structuredClone(document)), []);
  });
});
