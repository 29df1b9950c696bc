import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CatalogueDocument } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { signInOperator } from "#test/operators.ts";
import { order, startRental, testCatalogue, type Rental } from "#test/rental-service.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { systemCall } from "#kernel/call.ts";

type Offer = CatalogueDocument["configurations"][number]["offers"][number];

/** The test catalogue with another offer of the ordered configuration. */
function catalogueWith(changes: Partial<Offer>): CatalogueDocument {
  return {
    ...testCatalogue,
    configurations: testCatalogue.configurations.map((configuration) =>
      configuration.id === order.configId
        ? { ...configuration, offers: configuration.offers.map((own) => ({ ...own, ...changes })) }
        : configuration,
    ),
  };
}

const hourMs = 3_600_000;
let keys = 0;
const newKey = () => `sales-key-${(keys += 1)}`;

forEachEngine((engine) => {
  describe("what the catalogue sells", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const save = async (changes: Partial<Offer>) => {
      const saved = await saveCatalogue(rental.core, systemCall, catalogueWith(changes));
      assert.ok(saved.ok, JSON.stringify(saved));
    };
    const query = new URLSearchParams({ ...order, quantity: "1" });
    const quoted = async () => (await rental.send("GET", `/api/v1/quote?${query}`)).json;
    const shown = async () => {
      const { configurations } = (await rental.send("GET", "/api/v1/catalogue")).json;
      return configurations.find(({ id }: { id: string }) => id === order.configId).offers;
    };

    test("a hidden offer is absent and refused like one that does not exist, and its servers stay", async () => {
      const ada = await rental.customer(500);
      const place = (key = newKey()) =>
        ada.send("POST", "/api/v1/orders", { body: order, headers: { "idempotency-key": key } });
      const key = newKey();
      const first = await place(key);
      assert.equal(first.status, 201, first.text);
      const servers = (await ada.send("GET", "/api/v1/servers")).json;
      await save({ hidden: true });
      assert.deepEqual(await shown(), []);
      const refused = [await place(), await rental.send("GET", `/api/v1/quote?${query}`)];
      for (const answer of refused) {
        assert.equal(codeOf(answer), "validation_failed");
        assert.deepEqual(answer.json.error.fields, [
          { field: "regionId", message: "does not offer this configuration" },
        ]);
      }
      assert.equal((await place(key)).text, first.text, "a replay still works");
      assert.deepEqual((await ada.send("GET", "/api/v1/servers")).json, servers);
      assert.equal((await ada.send("GET", "/api/v1/orders")).json.orders.length, 1);
      await save({});
      assert.equal((await shown()).length, 1);
      assert.equal((await place()).status, 201);
    });

    test("a scheduled price applies from its first millisecond, in catalogue, quote and order alike", async () => {
      const begins = rental.clock.now() + hourMs;
      const prices = [
        { from: new Date(begins).toISOString(), weeklyUsd: 20, monthlyUsd: 60 },
        { from: new Date(begins + hourMs).toISOString(), weeklyUsd: 5, monthlyUsd: 15.01 },
      ];
      await save({ scheduledPrices: prices });
      const pays = async (usd: number) => {
        const ada = await rental.customer(500);
        assert.equal((await shown())[0].monthlyUsd, usd);
        assert.equal((await quoted()).totalUsd, usd);
        const placed = await ada.send("POST", "/api/v1/orders", {
          body: order,
          headers: { "idempotency-key": newKey() },
        });
        assert.equal(placed.json.totalUsd, usd, placed.text);
        const [server] = (await ada.send("GET", "/api/v1/servers")).json.servers;
        assert.equal(server.priceUsd, usd);
      };
      await pays(49.99);
      rental.clock.advance(begins - 1 - rental.clock.now());
      await pays(49.99);
      rental.clock.advance(1);
      await pays(60);
      rental.clock.advance(hourMs);
      await pays(15.01);
      assert.deepEqual(Object.keys((await shown())[0]).toSorted(), [
        ...["available", "monthlyUsd", "regionId", "weeklyUsd"],
      ]);
      await save({});
    });

    test("operators read back what they saved, with one notation of each time", async () => {
      const admin = await signInOperator(rental.core, rental.sendToDesk, "admin");
      const body = catalogueWith({
        hidden: true,
        scheduledPrices: [{ from: "2099-01-31T00:00:00Z", weeklyUsd: 1, monthlyUsd: 2 }],
      });
      const saved = await admin.send("PUT", "/operator/v1/catalogue", { body });
      assert.equal(saved.status, 200, saved.text);
      const { json } = await admin.send("GET", "/operator/v1/catalogue");
      const [offer] = json.configurations[0].offers;
      assert.equal(offer.hidden, true);
      assert.equal(offer.scheduledPrices[0].from, "2099-01-31T00:00:00.000Z");
      const again = await admin.send("PUT", "/operator/v1/catalogue", { body: json });
      assert.equal(again.headers["etag"], saved.headers["etag"], "the same document");
    });

    test("every save is a version with its operator, and an earlier one can be restored as a new one", async () => {
      const admin = await signInOperator(rental.core, rental.sendToDesk, "admin");
      const path = "/operator/v1/catalogue";
      const list = async (query = "") =>
        (await admin.send("GET", `${path}/versions${query}`)).json.versions;
      await save({ monthlyUsd: 70 });
      const [{ version: earlier, savedBy }] = await list();
      assert.equal(savedBy, null, "a command on the server");
      await admin.send("PUT", path, { body: catalogueWith({ monthlyUsd: 71 }) });
      const [latest, before] = await list();
      assert.deepEqual([latest.version, latest.savedBy], [earlier + 1, admin.username]);
      assert.equal(before.version, earlier);
      assert.deepEqual(
        (await list(`?before=${latest.version}`)).map((one: { version: number }) => one.version),
        (await list()).slice(1).map((one: { version: number }) => one.version),
      );
      const { document } = (await admin.send("GET", `${path}/versions/${earlier}`)).json;
      assert.equal(document.configurations[0].offers[0].monthlyUsd, 70);
      assert.equal((await admin.send("PUT", path, { body: document })).status, 200);
      assert.equal((await list())[0].version, earlier + 2);
      assert.equal((await quoted()).totalUsd, 70);
      for (const unknown of ["0", "999999", "x", "1e3", "-1"]) {
        const answer = await admin.send("GET", `${path}/versions/${unknown}`);
        assert.equal(codeOf(answer), "not_found", unknown);
      }
      await save({});
    });

    test("times that do not exist or are not in order are refused with their place", async () => {
      const price = { weeklyUsd: 1, monthlyUsd: 2 };
      const wrong: [readonly string[], string][] = [
        [["2099-02-30T00:00:00Z"], "0"],
        [["2099-01-02T00:00:00Z", "2099-01-01T00:00:00Z"], "1"],
        [["2099-01-01T00:00:00Z", "2099-01-01T00:00:00.000Z"], "1"],
      ];
      for (const [times, index] of wrong) {
        const scheduledPrices = times.map((from) => ({ from, ...price }));
        const saved = await saveCatalogue(
          rental.core,
          systemCall,
          catalogueWith({ scheduledPrices }),
        );
        assert.ok(!saved.ok);
        assert.deepEqual(
          saved.refusal.fields?.map(({ field }) => field),
          [`configurations.0.offers.0.scheduledPrices.${index}.from`],
        );
      }
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
