import assert from "node:assert/strict";
import { test } from "node:test";
import type { CatalogueDocument } from "./offer-rows.ts";
import { placeOf, problemsIn } from "./problems.ts";
import { sections, withItem, withItemMovedUp, withoutItem } from "./sections.ts";

const about = { cpu: "8 cores", memoryGb: 32, storage: "1 TB", bandwidth: "1 Gbit/s" };
const offers = [
  { regionId: "fra", weeklyUsd: 12, monthlyUsd: 40 },
  { regionId: "ams", weeklyUsd: 13, monthlyUsd: 42 },
];
const document: CatalogueDocument = {
  regions: [
    { id: "fra", name: "Frankfurt", country: "" },
    { id: "ams", name: "Amsterdam", country: "NL" },
  ],
  operatingSystems: [],
  configurations: [{ id: "metal-s", name: "Metal S", ...about, offers }],
  discounts: [{ minQuantity: 5, percent: 5 }],
};

test("a region is removed together with its offers, and other lists stay as they are", () => {
  const without = withoutItem(document, "regions", 0);
  assert.deepEqual(without.regions, document.regions.slice(1));
  assert.deepEqual(without.configurations[0]?.offers, offers.slice(1));
  assert.deepEqual(withoutItem(document, "discounts", 0), { ...document, discounts: [] });
});

test("items are added at the end and move up by one place", () => {
  const region = { id: "iad", name: "Ashburn", country: "US" };
  const added = withItem(document, "regions", 2, region);
  assert.deepEqual(added.regions, [...document.regions, region]);
  const moved = withItemMovedUp(added, "regions", 2);
  assert.deepEqual(
    moved.regions.map(({ id }) => id),
    ["fra", "iad", "ams"],
  );
});

test("a refused field keeps its message until its value changes", () => {
  const fields = [{ field: "regions.0.country", message: "must be 1 to 200 characters" }];
  const refused = { document, fields };
  assert.equal(problemsIn(refused, document).size, 1);
  const region = { id: "fra", name: "Frankfurt am Main", country: "" };
  assert.equal(problemsIn(refused, withItem(document, "regions", 0, region)).size, 1);
  const fixed = withItem(document, "regions", 0, { ...region, country: "DE" });
  assert.equal(problemsIn(refused, fixed).size, 0);
});

test("every field of a form and every price has a place, and anything else has none", () => {
  const labelOf = (path: string) => placeOf(document, path)?.label;
  assert.equal(labelOf("regions.0.country"), "Regions › fra › Country");
  assert.equal(labelOf("discounts.0.percent"), "Discounts › 5 › Discount (%)");
  assert.equal(
    labelOf("configurations.0.offers.1.weeklyUsd"),
    "Prices › metal-s › ams › Weekly USD",
  );
  for (const path of ["regions", "regions.9.id", "colour", "configurations.0.offers"]) {
    assert.equal(labelOf(path), undefined, path);
  }
  const { configurations, regions, discounts } = document;
  const fieldsOf = (item: object = {}) => Object.keys(item).filter((name) => name !== "offers");
  const inForms = (list: string) =>
    sections.find(({ name }) => name === list)?.fields.map(({ name }) => name);
  assert.deepEqual(inForms("configurations")?.toSorted(), fieldsOf(configurations[0]).toSorted());
  assert.deepEqual(inForms("regions")?.toSorted(), fieldsOf(regions[0]).toSorted());
  assert.deepEqual(inForms("discounts")?.toSorted(), fieldsOf(discounts[0]).toSorted());
});
