import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Choice } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { reserveMachines } from "#kernel/inventory.ts";
import { addMachines } from "#kernel/machine-intake.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { readQuote } from "./read-quote.ts";
import { saveCatalogue } from "./save-catalogue.ts";
import { systemCall } from "#kernel/call.ts";

const about = { name: "Metal S", cpu: "x", memoryGb: 32, storage: "x", bandwidth: "x" };
const document: CatalogueDocument = {
  regions: [
    { id: "fra", name: "Frankfurt", country: "DE" },
    { id: "ams", name: "Amsterdam", country: "NL" },
  ],
  operatingSystems: [{ id: "debian-13", name: "Debian 13", family: "linux" }],
  configurations: [
    {
      id: "metal-s",
      ...about,
      offers: [
        { regionId: "fra", weeklyUsd: 11.9, monthlyUsd: 39 },
        { regionId: "ams", weeklyUsd: 12, monthlyUsd: 40.55 },
      ],
    },
    { id: "metal-m", ...about, offers: [{ regionId: "fra", weeklyUsd: 30, monthlyUsd: 99 }] },
  ],
  discounts: [{ minQuantity: 3, percent: 7.5 }],
};

const choice: Choice = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
};

forEachEngine((engine) => {
  describe("reading the catalogue", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const add = (configId: string, regionId: string, count: number) =>
      core.db.write((tx) =>
        addMachines(
          { tx, core },
          Array.from({ length: count }, (_, index) => ({
            assetTag: `${configId}-${regionId}-${index}`,
            configId,
            regionId,
          })),
        ),
      );

    test("the catalogue is empty before the first import", async () => {
      const nothing = { configurations: [], regions: [], operatingSystems: [], discounts: [] };
      assert.deepEqual(await readCatalogue(core), nothing);
    });

    test("the answer is the document with the current stock, and stock without an offer is ignored", async () => {
      await saveCatalogue(core, systemCall, document);
      await add("metal-s", "fra", 5);
      await add("metal-x", "fra", 7);
      await add("metal-m", "ams", 9);
      await core.db.write((tx) =>
        reserveMachines(tx, { configId: "metal-s", regionId: "fra", quantity: 2 }),
      );
      const { configurations, ...rest } = await readCatalogue(core);
      const { configurations: described, ...others } = document;
      assert.deepEqual(rest, others);
      const [small, medium] = described;
      assert.deepEqual(configurations, [
        {
          ...small,
          offers: [
            { ...small!.offers[0], available: 3 },
            { ...small!.offers[1], available: 0 },
          ],
        },
        { ...medium, offers: [{ ...medium!.offers[0], available: 0 }] },
      ]);
    });

    test("every read takes two queries", async () => {
      for (const reader of [await testCore.reopen(), core]) {
        let queries = 0;
        const read = new Proxy(reader.db.read, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name, target);
            if (typeof member !== "function") return member;
            if (name === "executeQuery") queries += 1;
            return member.bind(target);
          },
        });
        await readCatalogue({ ...reader, db: { ...reader.db, read } });
        assert.equal(queries, 2);
      }
    });

    test("a quote has the price of the order and whether the stock covers it", async () => {
      const quoteOf = async (changes: Partial<Choice>) => {
        const quote = await readQuote(core, { ...choice, ...changes });
        return quote.ok ? quote.value : assert.fail(quote.refusal.code);
      };
      assert.deepEqual(await quoteOf({}), {
        unitCents: 3_900,
        discountPercent: 0,
        totalCents: 3_900,
        isAvailable: true,
      });
      assert.deepEqual(await quoteOf({ term: "weekly", quantity: 3 }), {
        unitCents: 1_190,
        discountPercent: 7.5,
        totalCents: 3_302,
        isAvailable: true,
      });
      assert.equal((await quoteOf({ quantity: 4 })).isAvailable, false);
      assert.equal((await quoteOf({ regionId: "ams" })).isAvailable, false);
    });

    test("a quote for a choice that is not in the catalogue names the field", async () => {
      const wrong: [Partial<Choice>, string][] = [
        [{ configId: "metal-x" }, "configId"],
        [{ regionId: "nowhere" }, "regionId"],
        [{ configId: "metal-m", regionId: "ams" }, "regionId"],
        [{ osId: "beos" }, "osId"],
      ];
      for (const [changes, field] of wrong) {
        const quote = await readQuote(core, { ...choice, ...changes });
        assert.ok(!quote.ok);
        assert.equal(quote.refusal.code, "validation_failed");
        assert.equal(quote.refusal.fields?.[0]?.field, field);
      }
    });
  });
});
