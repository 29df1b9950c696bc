import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReadCatalogueAnswer, SshKey } from "@ironlease/client";
import { coresOf, noFilter, offersIn, readFilter } from "./catalogue-filter.ts";
import { discountSteps, nextStepText } from "./discount-steps.ts";
import {
  choose,
  chosenFrom,
  machinesIn,
  readChoice,
  sshChoice,
  withDefaults,
} from "./order-choice.ts";

const offer = { weeklyUsd: 10, monthlyUsd: 30, available: 3 };
const machine = { storage: "", bandwidth: "" };
const catalogue: ReadCatalogueAnswer = {
  regions: [
    { id: "sin", name: "Singapore", country: "SG" },
    { id: "fra", name: "Frankfurt", country: "DE" },
    { id: "ams", name: "Amsterdam", country: "NL" },
  ],
  operatingSystems: [{ id: "debian-13", name: "Debian 13", family: "linux" }],
  configurations: [
    {
      ...machine,
      id: "large",
      name: "Large",
      cpu: "2 × EPYC, 96 cores",
      memoryGb: 768,
      offers: [{ ...offer, regionId: "ams", monthlyUsd: 600 }],
    },
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
      id: "sold",
      name: "Sold",
      cpu: "",
      memoryGb: 8,
      offers: [
        { ...offer, regionId: "ams", monthlyUsd: 5, available: 0 },
        { ...offer, regionId: "sin", available: 0 },
      ],
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
  assert.deepEqual(readFilter({ cores: "1e3", memoryGb: "64", priceUsd: 5 }), {
    ...noFilter,
    memoryGb: "64",
  });
});

test("choosing a region keeps a configuration that it offers and clears any other", () => {
  const start = readChoice({ config: "small", region: "fra", os: "debian-13" });
  assert.equal(choose(catalogue, start, { quantity: 2 }).config, "small");
  assert.equal(choose(catalogue, start, { region: "ams" }).config, "small");
  assert.equal(choose(catalogue, start, { region: "sin" }).config, undefined);
});

test("the first region with free machines is chosen at first", () => {
  assert.deepEqual(
    catalogue.regions.map(({ id }) => machinesIn(catalogue, id)),
    [0, 3, 6],
  );
  const { region, os } = withDefaults(catalogue, readChoice({}));
  assert.deepEqual([region, os], ["fra", "debian-13"]);
  assert.equal(withDefaults(catalogue, readChoice({ region: "ams" })).region, "ams");
});

test("items that are not in the catalogue cannot be chosen", () => {
  assert.equal(chosenFrom(catalogue, readChoice({ config: "small", region: "fra" })), undefined);
  const whole = readChoice({ config: "small", region: "fra", os: "debian-13" });
  assert.equal(chosenFrom(catalogue, whole)?.regionName, "Frankfurt");
  assert.equal(chosenFrom(catalogue, { ...whole, config: "gone" }), undefined);
  assert.equal(chosenFrom(catalogue, { ...whole, region: "sin" }), undefined);
});

test("the core count is parsed from the processor description", () => {
  assert.deepEqual(catalogue.configurations.map(coresOf), [96, 6, undefined]);
});

test("a region's offers are sorted by price, what is sold out last, and filtered together", () => {
  const found = (filter: Partial<typeof noFilter>, region = "ams") =>
    offersIn(catalogue, { region, term: "monthly" }, { ...noFilter, ...filter }).map(
      ({ configuration }) => configuration.id,
    );
  assert.deepEqual(found({}), ["small", "large", "sold"]);
  assert.deepEqual(found({}, "fra"), ["small"]);
  assert.deepEqual(found({ cores: "8" }), ["large"]);
  assert.deepEqual(found({ memoryGb: "33" }), ["large"]);
  assert.deepEqual(found({ priceUsd: "35" }), ["small", "sold"]);
  assert.deepEqual(found({ priceUsd: "30", cores: "6" }), []);
});

test("discount steps name how many more are needed, and skip steps that give no more", () => {
  const discounts = [
    { minQuantity: 10, percent: 12.5 },
    { minQuantity: 3, percent: 5 },
    { minQuantity: 5, percent: 5 },
    { minQuantity: 21, percent: 50 },
  ];
  assert.deepEqual(
    discountSteps(discounts).map(({ minQuantity }) => minQuantity),
    [3, 10],
  );
  assert.equal(nextStepText(2, discounts), "1 more: 5% off each");
  assert.equal(nextStepText(3, discounts), "7 more: 12.5% off each");
  assert.equal(nextStepText(10, discounts), undefined);
  assert.equal(nextStepText(1, []), undefined);
});

test("the first saved key is chosen unless the URL says otherwise", () => {
  const saved = [{ id: "ssh_1" }, { id: "ssh_2" }] as SshKey[];
  assert.equal(sshChoice(undefined, saved), "ssh_1");
  assert.equal(sshChoice(undefined, []), "none");
  assert.equal(sshChoice("none", saved), "none");
  assert.equal(sshChoice("paste", []), "paste");
});
