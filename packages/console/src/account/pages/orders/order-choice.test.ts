import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReadCatalogueAnswer } from "@ironlease/client";
import { coresOf, filterCatalogue, noFilter } from "./catalogue-filter.ts";
import { choose, chosenFrom, readChoice } from "./order-choice.ts";

const offer = { weeklyUsd: 10, monthlyUsd: 30, available: 3 };
const machine = { storage: "", bandwidth: "" };
const catalogue: ReadCatalogueAnswer = {
  regions: [
    { id: "fra", name: "Frankfurt", country: "DE" },
    { id: "ams", name: "Amsterdam", country: "NL" },
  ],
  operatingSystems: [{ id: "debian-13", name: "Debian 13", family: "linux" }],
  configurations: [
    {
      ...machine,
      id: "small",
      name: "Small",
      cpu: "Xeon, 6 cores at 2.9 GHz",
      memoryGb: 32,
      offers: [
        { ...offer, regionId: "fra" },
        { ...offer, regionId: "ams", monthlyUsd: 35 },
      ],
    },
    {
      ...machine,
      id: "large",
      name: "Large",
      cpu: "2 × EPYC, 96 cores",
      memoryGb: 768,
      offers: [{ ...offer, regionId: "ams", monthlyUsd: 600 }],
    },
  ],
  discounts: [],
};

test("invalid values in the URL are ignored", () => {
  assert.deepEqual(readChoice({ quantity: "-3", term: "daily", config: "", region: 7 }), {
    config: undefined,
    region: undefined,
    os: undefined,
    ssh: undefined,
    term: "monthly",
    quantity: 1,
  });
  assert.equal(readChoice({ quantity: "1000" }).quantity, 20);
  assert.equal(readChoice({ quantity: "2.9" }).quantity, 2);
  assert.equal(readChoice({ quantity: "NaN" }).quantity, 1);
});

test("choosing a configuration clears a region that does not offer it", () => {
  const start = readChoice({ config: "small", region: "fra", os: "debian-13" });
  assert.equal(choose(catalogue, start, { quantity: 2 }).region, "fra");
  assert.equal(
    choose(catalogue, start, { config: "large" }).region,
    "ams",
    "the only one there is",
  );
  const nowhere = choose(catalogue, readChoice({ region: "sin" }), { config: "small" });
  assert.equal(nowhere.region, undefined);
});

test("items that are not in the catalogue cannot be chosen", () => {
  assert.equal(chosenFrom(catalogue, readChoice({ config: "small", region: "fra" })), undefined);
  const whole = readChoice({ config: "small", region: "fra", os: "debian-13" });
  assert.equal(chosenFrom(catalogue, whole)?.regionName, "Frankfurt");
  assert.equal(chosenFrom(catalogue, { ...whole, config: "gone" }), undefined);
});

test("the core count is parsed from the processor description", () => {
  assert.deepEqual(catalogue.configurations.map(coresOf), [6, 96]);
  assert.equal(coresOf({ cpu: "something new" }), undefined);
});

test("filters combine region, cores, memory and price", () => {
  const found = (filter: Partial<typeof noFilter>) =>
    filterCatalogue(catalogue, { ...noFilter, ...filter }, "monthly").map(({ id }) => id);
  assert.deepEqual(found({}), ["small", "large"]);
  assert.deepEqual(found({ region: "fra" }), ["small"]);
  assert.deepEqual(found({ cores: "8" }), ["large"]);
  assert.deepEqual(found({ memoryGb: "33" }), ["large"]);
  assert.deepEqual(found({ priceUsd: "30" }), ["small"]);
  assert.deepEqual(found({ priceUsd: "30", region: "ams" }), []);
});
