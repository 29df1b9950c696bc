import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { checkCatalogue } from "./check-catalogue.ts";

/** A small catalogue, changed by the given function before it is checked. */
function faultsAfter(change: (document: CatalogueDocument) => unknown): readonly string[] {
  const about = {
    name: "Metal",
    cpu: "a CPU",
    memoryGb: 32,
    storage: "a disk",
    bandwidth: "1 Gbit/s",
  };
  const offers = () => [
    { regionId: "fra", weeklyUsd: 11.9, monthlyUsd: 39 },
    { regionId: "ams", weeklyUsd: 12, monthlyUsd: 40.55 },
  ];
  const document: CatalogueDocument = {
    regions: [
      { id: "fra", name: "Frankfurt", country: "DE" },
      { id: "ams", name: "Amsterdam", country: "NL" },
    ],
    operatingSystems: [
      { id: "debian-13", name: "Debian 13", family: "linux" },
      { id: "ubuntu-24.04", name: "Ubuntu 24.04", family: "linux" },
    ],
    configurations: [
      { id: "metal-s", ...about, offers: offers() },
      { id: "metal-m", ...about, offers: offers() },
    ],
    discounts: [
      { minQuantity: 5, percent: 7.5 },
      { minQuantity: 10, percent: 12.25 },
    ],
  };
  const changed = change(document);
  const checked = checkCatalogue(changed ?? document);
  return checked.ok
    ? []
    : checked.faults.map(({ path, message }) => `${path.join(".")} ${message}`);
}

describe("the catalogue check", () => {
  test("a valid catalogue is accepted unchanged, and so is an empty one", () => {
    assert.deepEqual(
      faultsAfter(() => undefined),
      [],
    );
    const empty = { regions: [], operatingSystems: [], configurations: [], discounts: [] };
    assert.deepEqual(checkCatalogue(empty), { ok: true, document: empty });
  });

  test("a $schema reference is dropped, and any other unknown field is refused", () => {
    const empty = { regions: [], operatingSystems: [], configurations: [], discounts: [] };
    const checked = checkCatalogue({ $schema: "x", ...empty });
    assert.deepEqual(checked, { ok: true, document: empty });
    assert.deepEqual(
      faultsAfter((document) => ({ ...document, $schema: 1 })),
      ["$schema is not a known field"],
    );
    assert.deepEqual(
      faultsAfter((document) => ({ ...document, taxes: [] })),
      ["taxes is not a known field"],
    );
  });

  test("missing, misspelt and wrongly typed fields are named by path", () => {
    const faults = faultsAfter((document) => {
      Object.assign(document.configurations[1]!.offers[0]!, { weeklyUsd: "12", setupUsd: 1 });
      Object.assign(document.configurations[0]!, { memoryGb: 0.5, name: "" });
      Object.assign(document.regions[1]!, { id: "Am Sterdam", country: undefined });
      Reflect.deleteProperty(document.regions[1]!, "country");
    });
    assert.deepEqual(faults.toSorted(), [
      "configurations.0.memoryGb must be a whole number of GB",
      "configurations.0.name must be 1 to 200 characters",
      "configurations.1.offers.0.setupUsd is not a known field",
      "configurations.1.offers.0.weeklyUsd must be a price in USD greater than 0, with at most two decimals",
      "regions.1.country is required",
      "regions.1.id must be 1 to 64 lowercase letters, digits, dots, hyphens or underscores",
    ]);
  });

  test("a value that is not an object is refused with an empty path", () => {
    for (const value of [null, undefined, [], "catalogue", 1]) {
      const checked = checkCatalogue(value);
      assert.ok(!checked.ok);
      assert.deepEqual(checked.faults[0]?.path, []);
    }
  });

  test("a repeated id is refused, and the fault names the first one", () => {
    const faults = faultsAfter(({ regions, operatingSystems, configurations }) => {
      regions.push({ ...regions[0]! });
      operatingSystems[1]!.id = "debian-13";
      configurations[1]!.id = "metal-s";
    });
    assert.deepEqual(faults, [
      "regions.2.id must be unique, but regions.0 has the same value",
      "operatingSystems.1.id must be unique, but operatingSystems.0 has the same value",
      "configurations.1.id must be unique, but configurations.0 has the same value",
    ]);
  });

  test("an offer names a known region, and each region once", () => {
    const faults = faultsAfter(({ configurations }) => {
      configurations[0]!.offers[1]!.regionId = "fra";
      configurations[1]!.offers[0]!.regionId = "nowhere";
    });
    assert.deepEqual(faults, [
      "configurations.0.offers.1.regionId must be unique, but configurations.0.offers.0 has the same value",
      "configurations.1.offers.0.regionId must be the id of one of the regions",
    ]);
  });

  test("a price has at most two decimals, and nothing is rounded", () => {
    const offered = (weeklyUsd: number) =>
      faultsAfter(
        ({ configurations }) => void (configurations[0]!.offers[0]!.weeklyUsd = weeklyUsd),
      );
    for (const price of [0.01, 0.1, 1.1, 19.99, 1234.5, 100_000_000]) {
      assert.deepEqual(offered(price), [], String(price));
    }
    for (const price of [0.001, 1.005, 19.999, 0, -1, 100_000_000.01, Infinity, Number.NaN]) {
      const [fault = ""] = offered(price);
      assert.match(fault, /^configurations\.0\.offers\.0\.weeklyUsd must/, String(price));
    }
  });

  test("a quantity has one discount, of at most two decimals", () => {
    assert.match(
      faultsAfter(({ discounts }) => void (discounts[0]!.percent = 1.005)).join(),
      /^discounts\.0\.percent must .* at most two decimals$/,
    );
    assert.deepEqual(
      faultsAfter(({ discounts }) => void (discounts[1]!.minQuantity = 5)),
      ["discounts.1.minQuantity must be unique, but discounts.0 has the same value"],
    );
    assert.deepEqual(
      faultsAfter(({ discounts }) => void (discounts[0]!.percent = 7.500000001)),
      ["discounts.0.percent must have at most two decimals"],
    );
    for (const percent of [0.01, 0.07, 0.29, 1.1, 99.99, 100]) {
      const faults = faultsAfter(({ discounts }) => void (discounts[0]!.percent = percent));
      assert.deepEqual(faults, [], String(percent));
    }
  });

  test("control characters and unpaired surrogates are refused in every text", () => {
    for (const mark of ["\0", "\n", "\u001b", "\u0085", "\u2028", "\ud800"]) {
      const faults = faultsAfter(({ regions }) => void (regions[0]!.name = `Frank${mark}furt`));
      assert.deepEqual(faults, ["regions.0.name must not contain control characters"]);
    }
    assert.deepEqual(
      faultsAfter(({ regions }) => void (regions[0]!.name = "Fränkfurt 東京 🏠")),
      [],
    );
  });

  test("a catalogue of 50,000 offers is checked without a stack overflow", () => {
    const faults = faultsAfter((document) => {
      const regions = Array.from({ length: 500 }, (_, index) => ({
        id: `r${index}`,
        name: "Region",
        country: "DE",
      }));
      const offers = regions.map(({ id }) => ({ regionId: id, weeklyUsd: 1, monthlyUsd: 2 }));
      const configurations = Array.from({ length: 100 }, (_, index) => ({
        ...document.configurations[0]!,
        id: `c${index}`,
        offers,
      }));
      return { ...document, regions, configurations };
    });
    assert.deepEqual(faults, []);
  });
});
