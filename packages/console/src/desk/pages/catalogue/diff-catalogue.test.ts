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

describe("diffCatalogue", () => {
  test("a changed price is reported by configuration and region", () => {
    const dearer = { ...metal, offers: [{ ...offer, weeklyUsd: 22.5 }] };
    assert.deepEqual(diffCatalogue(document, { ...document, configurations: [dearer] }), [
      { path: "configurations › metal-s › offers › fra › weeklyUsd", before: "20", after: "22.5" },
    ]);
  });

  test("an item inserted at the front is the only difference", () => {
    const osl = { id: "osl", name: "Oslo", country: "NO" };
    assert.deepEqual(diffCatalogue(document, { ...document, regions: [osl, fra, ams] }), [
      { path: "regions › osl", before: undefined, after: JSON.stringify(osl) },
    ]);
  });

  test("removed items and removed lists are reported", () => {
    const { discounts: _discounts, ...rest } = document;
    assert.deepEqual(diffCatalogue(document, { ...rest, regions: [fra] }), [
      { path: "regions › ams", before: JSON.stringify(ams), after: undefined },
      { path: "discounts", before: JSON.stringify(document.discounts), after: undefined },
    ]);
  });

  test("a changed order is a difference", () => {
    assert.deepEqual(diffCatalogue(document, { ...document, regions: [ams, fra] }), [
      { path: "regions › order", before: "fra, ams", after: "ams, fra" },
    ]);
  });

  test("equal documents have no differences", () => {
    assert.deepEqual(diffCatalogue(document, structuredClone(document)), []);
  });
});
