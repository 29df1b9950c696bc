import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { limits, type CatalogueDocument } from "@ironlease/contract";
import fc from "fast-check";
import { priceOf, sharesOf, type Catalogue, type Choice } from "./catalogue.ts";

const choice: Choice = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
};

function catalogueOf(
  weekly: number,
  monthly: number,
  discounts: CatalogueDocument["discounts"] = [],
): Catalogue {
  const region = { name: "", country: "" };
  const configuration = { name: "", cpu: "", memoryGb: 1, storage: "", bandwidth: "", offers: [] };
  const document: CatalogueDocument = {
    regions: [
      { id: "fra", ...region },
      { id: "ams", ...region },
    ],
    operatingSystems: [{ id: "debian-13", name: "", family: "" }],
    configurations: [{ id: "metal-s", ...configuration }],
    discounts,
  };
  const from = Number.NEGATIVE_INFINITY;
  const prices = new Map([["metal-s fra", [{ from, weekly, monthly }]]]);
  return { version: 1, updatedAt: 0, document, prices, osIds: new Set(["debian-13"]) };
}

function priced(catalogue: Catalogue, changes: Partial<Choice> = {}) {
  const price = priceOf(catalogue, { ...choice, ...changes }, 0);
  return price.ok ? price.value : assert.fail(JSON.stringify(price.refusal));
}

describe("prices", () => {
  const cents = fc.integer({ min: 1, max: 10_000_000_000 });
  const quantities = fc.integer({ min: limits.quantity.min, max: limits.quantity.max });
  const hundredthsOfPercent = fc.integer({ min: 1, max: 10_000 });

  test("a total is the term's price times the quantity, less the discount, rounded half up", () => {
    fc.assert(
      fc.property(cents, quantities, hundredthsOfPercent, (unit, quantity, hundredths) => {
        const discounts = [{ minQuantity: 1, percent: hundredths / 100 }];
        const { totalCents } = priced(catalogueOf(1, unit, discounts), { quantity });
        // The exact total is n / 10,000 cents, and t is its rounding when t - 1/2 <= n / 10,000 < t + 1/2.
        const n = BigInt(unit) * BigInt(quantity) * (10_000n - BigInt(hundredths));
        const t = BigInt(totalCents);
        const isRoundedHalfUp = 20_000n * t - 10_000n <= 2n * n && 2n * n < 20_000n * t + 10_000n;
        assert.ok(isRoundedHalfUp || (t === 1n && n < 5_000n), "an order costs at least one cent");
      }),
      { numRuns: 2_000 },
    );
  });

  test("half a cent rounds up: 5 percent off 0.10 is 0.10, and off 0.30 is 0.29", () => {
    const discounts = [{ minQuantity: 2, percent: 5 }];
    assert.equal(priced(catalogueOf(5, 5, discounts), { quantity: 2 }).totalCents, 10);
    assert.equal(priced(catalogueOf(15, 15, discounts), { quantity: 2 }).totalCents, 29);
  });

  test("a total that rounds to 0.00 is 0.01, and the first server costs it", () => {
    for (const percent of [60, 99.99, 100]) {
      const catalogue = catalogueOf(1, 1, [{ minQuantity: 1, percent }]);
      assert.equal(priced(catalogue).totalCents, 1);
    }
    const free = catalogueOf(10_000, 10_000, [{ minQuantity: 1, percent: 100 }]);
    const { totalCents } = priced(free, { quantity: 3 });
    assert.deepEqual(sharesOf(totalCents, 3), [1, 0, 0]);
  });

  test("the term selects the price, and without discounts the percentage is 0", () => {
    const catalogue = catalogueOf(1_190, 3_900);
    assert.deepEqual(priced(catalogue, { term: "weekly", quantity: 2 }), {
      unitCents: 1_190,
      discountPercent: 0,
      totalCents: 2_380,
    });
    assert.equal(priced(catalogue).totalCents, 3_900);
  });

  test("the largest applicable discount applies, whatever its position in the list", () => {
    const discounts = [
      { minQuantity: 10, percent: 5 },
      { minQuantity: 3, percent: 7.5 },
      { minQuantity: 11, percent: 12.5 },
    ];
    const percentAt = (quantity: number) =>
      priced(catalogueOf(100, 100, discounts), { quantity }).discountPercent;
    assert.deepEqual([1, 2, 3, 10, 11, 20].map(percentAt), [0, 0, 7.5, 7.5, 12.5, 12.5]);
  });

  test("shares sum to the total, and the first servers get one cent more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000_000_000 }), quantities, (total, quantity) => {
        const shares = sharesOf(total, quantity);
        assert.equal(shares.length, quantity);
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          total,
        );
        const [most = 0, least = 0] = [shares[0], shares.at(-1)];
        assert.ok(most - least <= 1);
        assert.deepEqual(
          shares,
          shares.toSorted((a, b) => b - a),
        );
      }),
    );
  });

  test("a choice that is not in the catalogue is refused with the name of the field", () => {
    const wrong: [Partial<Choice>, string, RegExp][] = [
      [{ configId: "metal-x" }, "configId", /not in the catalogue/],
      [{ regionId: "nowhere" }, "regionId", /not in the catalogue/],
      [{ regionId: "ams" }, "regionId", /does not offer/],
      [{ osId: "beos" }, "osId", /not in the catalogue/],
    ];
    for (const [changes, field, message] of wrong) {
      const price = priceOf(catalogueOf(1, 1), { ...choice, ...changes }, 0);
      assert.ok(!price.ok);
      assert.equal(price.refusal.code, "validation_failed");
      assert.deepEqual(
        price.refusal.fields?.map((entry) => entry.field),
        [field],
      );
      assert.match(price.refusal.fields?.[0]?.message ?? "", message);
    }
  });
});
