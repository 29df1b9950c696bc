import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isCatalogue,
  offerRows,
  priceIn,
  withOffer,
  type CatalogueDocument,
} from "./offer-rows.ts";

const about = { cpu: "8 cores", memoryGb: 32, storage: "1 TB", bandwidth: "1 Gbit/s" };
const offers = [
  { regionId: "fra", weeklyUsd: 12, monthlyUsd: 40 },
  { regionId: "ams", weeklyUsd: 13, monthlyUsd: 42 },
];
const document: CatalogueDocument = {
  regions: [],
  operatingSystems: [],
  configurations: [{ id: "metal-s", name: "Metal S", ...about, offers }],
  discounts: [],
};

test("every offer is a row, and only a text that the grid can show is a catalogue", () => {
  assert.deepEqual(
    offerRows(document).map(({ configId, offer }) => [configId, offer.regionId]),
    [
      ["metal-s", "fra"],
      ["metal-s", "ams"],
    ],
  );
  const offerOf = (changes: object) => ({
    ...document,
    configurations: [{ id: "metal-s", name: "Metal S", offers: [{ ...offers[0], ...changes }] }],
  });
  assert.ok(isCatalogue(offerOf({})));
  const wrong = [
    ...[null, [], "x", {}, { configurations: [{}] }, { configurations: [null] }],
    ...[{ regions: [{ id: "fra" }] }, { discounts: [{}] }, { operatingSystems: null }].map(
      (lists) => ({
        ...offerOf({}),
        ...lists,
      }),
    ),
    ...[{ regionId: {} }, { weeklyUsd: "12" }, { monthlyUsd: null }].map(offerOf),
    ...[null, {}, [null], [{ from: 1 }]].map((scheduledPrices) => offerOf({ scheduledPrices })),
  ];
  for (const value of wrong) assert.ok(!isCatalogue(value), JSON.stringify(value));
});

test("a change reaches one offer only, and undefined removes a field from the text", () => {
  const [, ams] = offerRows(document);
  assert.ok(ams);
  const hidden = withOffer(document, ams, { hidden: true, monthlyUsd: 45 });
  assert.deepEqual(hidden.configurations[0]?.offers, [
    offers[0],
    { ...offers[1], monthlyUsd: 45, hidden: true },
  ]);
  const shown = withOffer(hidden, ams, { hidden: undefined, monthlyUsd: 42 });
  assert.equal(JSON.stringify(shown), JSON.stringify(document));
});

test("only positive sums with up to two decimals are prices", () => {
  assert.equal(priceIn(" 40.5 "), 40.5);
  for (const text of ["", "0", "0.00", "-1", "1e3", "1,50", "1.005", "abc", "Infinity"]) {
    assert.equal(priceIn(text), undefined, text);
  }
});
