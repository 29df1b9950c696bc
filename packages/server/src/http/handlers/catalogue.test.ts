import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { addMachines } from "#kernel/machine-intake.ts";
import { systemCall } from "#kernel/call.ts";

const document: CatalogueDocument = {
  regions: [{ id: "fra", name: "Frankfurt", country: "DE" }],
  operatingSystems: [{ id: "debian-13", name: "Debian 13", family: "linux" }],
  configurations: [
    {
      id: "metal-s",
      name: "Metal S",
      cpu: "a CPU",
      memoryGb: 32,
      storage: "a disk",
      bandwidth: "1 Gbit/s",
      offers: [{ regionId: "fra", weeklyUsd: 11.9, monthlyUsd: 39.05 }],
    },
  ],
  discounts: [{ minQuantity: 3, percent: 7.5 }],
};

const choice = { configId: "metal-s", regionId: "fra", osId: "debian-13", term: "monthly" };
const quotePath = (changes: Readonly<Record<string, string>> = {}) =>
  `/api/v1/quote?${new URLSearchParams({ ...choice, quantity: "1", ...changes })}`;

forEachEngine((engine) => {
  describe("the catalogue over HTTP", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, { mode: "serve" });
    });
    after(() => service.close());

    test("is empty before an import, and the health counts are 0", async () => {
      const { status, json } = await service.send("GET", "/api/v1/catalogue");
      assert.equal(status, 200);
      const nothing = { configurations: [], regions: [], operatingSystems: [], discounts: [] };
      assert.deepEqual(json, nothing);
      const health = await service.send("GET", "/api/health");
      assert.deepEqual(health.json.catalogue, {
        configurations: 0,
        regions: 0,
        operatingSystems: 0,
      });
    });

    test("is public and shows how many machines of each offer are available", async () => {
      const { core } = service;
      await saveCatalogue(core, systemCall, document);
      const machines = ["a", "b", "c", "d"].map((assetTag) => ({
        assetTag,
        configId: "metal-s",
        regionId: "fra",
      }));
      await core.db.write((tx) => addMachines({ tx, core }, machines));
      const { json, headers } = await service.send("GET", "/api/v1/catalogue");
      const [configuration] = document.configurations;
      const offers = [{ ...configuration!.offers[0], available: 4 }];
      assert.deepEqual(json, { ...document, configurations: [{ ...configuration, offers }] });
      assert.equal(headers["cache-control"], "no-store");
    });

    test("health counts the imported catalogue", async () => {
      const { json } = await service.send("GET", "/api/health");
      assert.equal(json.status, "ok");
      assert.deepEqual(json.catalogue, { configurations: 1, regions: 1, operatingSystems: 1 });
    });

    test("a quote has the price of the order and whether enough machines are available", async () => {
      assert.deepEqual((await service.send("GET", quotePath())).json, {
        unitUsd: 39.05,
        discountPercent: 0,
        totalUsd: 39.05,
        available: true,
      });
      assert.deepEqual((await service.send("GET", quotePath({ quantity: "5" }))).json, {
        unitUsd: 39.05,
        discountPercent: 7.5,
        totalUsd: 180.61,
        available: false,
      });
      const weekly = await service.send("GET", quotePath({ quantity: "4", term: "weekly" }));
      assert.deepEqual(weekly.json, {
        unitUsd: 11.9,
        discountPercent: 7.5,
        totalUsd: 44.03,
        available: true,
      });
    });

    test("a quote for an unknown or malformed choice is 400 and names the field", async () => {
      const wrong: [Readonly<Record<string, string>>, string][] = [
        [{ configId: "metal-x" }, "configId"],
        [{ regionId: "nowhere" }, "regionId"],
        [{ osId: "beos" }, "osId"],
        [{ term: "yearly" }, "term"],
        [{ quantity: "0" }, "quantity"],
        [{ quantity: "21" }, "quantity"],
        [{ quantity: "1.0" }, "quantity"],
        [{ price: "1" }, "price"],
      ];
      for (const [changes, field] of wrong) {
        const answer = await service.send("GET", quotePath(changes));
        assert.equal(codeOf(answer), "validation_failed", field);
        assert.deepEqual(
          answer.json.error.fields.map((entry: { field: string }) => entry.field),
          [field],
        );
      }
    });

    test("health is 503 if the database does not answer", async () => {
      await service.core.db.close();
      const answer = await service.send("GET", "/api/health");
      assert.equal(answer.status, 503);
      assert.equal(codeOf(answer), "service_unavailable");
    });
  });
});
