import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pay, simulatedOf } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { watchSettlement } from "./watch-settlement.ts";

const path = "/api/v1/deposit-addresses";

forEachEngine((engine) => {
  describe("deposits over HTTP", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    const create = (customer: Customer, key: string, body: unknown = { asset: "BTC" }) =>
      customer.send("POST", path, { body, headers: { "idempotency-key": key } });

    test("201 creates an address, and the same request again is marked as a replay", async () => {
      const ada = await service.register();
      const first = await create(ada, "deposit-key");
      assert.equal(first.status, 201);
      assert.deepEqual(first.json, {
        address: first.json.address,
        asset: "BTC",
        network: "bitcoin",
        confirmationsRequired: 2,
        mode: "SIMULATED",
      });
      assert.equal(first.headers["idempotent-replayed"], undefined);
      const again = await create(ada, "deposit-key");
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal(again.headers["idempotent-replayed"], "true");
      assert.equal(
        codeOf(await create(ada, "deposit-key", { asset: "LTC" })),
        "idempotency_conflict",
      );
    });

    test("an unknown asset, a missing asset and an extra field are 400 and name the field", async () => {
      const ada = await service.register();
      const bad: [unknown, string][] = [
        [{ asset: "DOGE" }, "asset"],
        [{ asset: "btc" }, "asset"],
        [{}, "asset"],
        [{ asset: "BTC", usd: 5 }, "usd"],
      ];
      for (const [body, field] of bad) {
        const { status, json } = await create(ada, "bad-asset", body);
        assert.deepEqual([status, json.error.fields[0].field], [400, field]);
      }
      const keyless = await ada.send("POST", path, { body: { asset: "BTC" } });
      assert.equal(codeOf(keyless), "idempotency_key_required");
    });

    test("the provider's failures are 502 and 503, and the same key works afterwards", async () => {
      const ada = await service.register();
      const provider = simulatedOf(service.core);
      provider.failNext("health", new SettlementFailed("secret detail of the provider"));
      const failed = await create(ada, "failing-key");
      assert.deepEqual([failed.status, codeOf(failed)], [502, "settlement_failed"]);
      assert.ok(!failed.text.includes("secret"));
      provider.failNext("health", new SettlementUnavailable("secret detail"));
      const absent = await create(ada, "failing-key");
      assert.deepEqual([absent.status, codeOf(absent)], [503, "settlement_unavailable"]);
      assert.equal((await create(ada, "failing-key")).status, 201);
    });

    test("a payment shows up in the list and then in the balance", async () => {
      const [ada, ben] = [await service.register(), await service.register()];
      const { address } = (await create(ada, "paid-key", { asset: "XMR" })).json;
      const transactionId = await pay(service.core, address, "2", { confirmations: 3 });
      await watchSettlement(service.core);
      const now = new Date(service.clock.now()).toISOString();
      const [confirming] = (await ada.send("GET", "/api/v1/deposits")).json.deposits;
      assert.deepEqual(confirming, {
        id: confirming.id,
        asset: "XMR",
        network: "monero",
        mode: "SIMULATED",
        address,
        transactionId,
        amount: "2.000000000000",
        usd: null,
        rate: null,
        confirmations: 3,
        confirmationsRequired: 10,
        state: "CONFIRMING",
        seenAt: now,
        creditedAt: null,
      });

      await pay(service.core, address, "2", { transactionId });
      await watchSettlement(service.core);
      const rate = { usd: "312.75", at: now, sources: ["simulated"] };
      const credited = { usd: 625.5, confirmations: 10, state: "CREDITED", creditedAt: now };
      assert.deepEqual((await ada.send("GET", "/api/v1/deposits")).json, {
        deposits: [{ ...confirming, ...credited, rate }],
      });
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 625.5);
      const [entry] = (await ada.send("GET", "/api/v1/ledger")).json.entries;
      assert.deepEqual([entry.type, entry.amountUsd], ["DEPOSIT", 625.5]);
      assert.deepEqual(entry.reference, { kind: "deposit", id: confirming.id });
      assert.deepEqual((await ben.send("GET", "/api/v1/deposits")).json, { deposits: [] });
    });

    test("an address is read with its own latest 20 payments, and another account's is 404", async () => {
      const [ada, ben] = [await service.register(), await service.register()];
      const first = (await create(ada, "first-key", { asset: "LTC" })).json;
      const second = (await create(ada, "second-key", { asset: "LTC" })).json;
      const listed = (await ada.send("GET", path)).json.depositAddresses;
      const { id } = listed.find(({ address }: { address: string }) => address === first.address);
      await pay(service.core, second.address, "1");
      for (let payment = 1; payment <= 22; payment += 1) {
        await pay(service.core, first.address, `0.${payment}`, { confirmations: 1 });
        service.clock.advance(1_000);
        await watchSettlement(service.core);
      }
      const { latestDeposits, ...read } = (await ada.send("GET", `${path}/${id}`)).json;
      const { createdAt } = listed.find((address: { id: string }) => address.id === id);
      assert.deepEqual(read, { ...first, id, createdAt, deposits: 22 });
      const all = (await ada.send("GET", "/api/v1/deposits")).json.deposits;
      const own = all.filter(({ address }: { address: string }) => address === first.address);
      assert.deepEqual(latestDeposits, own.slice(0, 20));
      const other = await ben.send("GET", `${path}/${id}`);
      const unknown = await ben.send("GET", `${path}/dpa_01h455vb4pex5vsknk084sn02q`);
      assert.deepEqual([codeOf(other), codeOf(unknown)], ["not_found", "not_found"]);
    });

    test("the running service credits a payment without a command", async () => {
      const ada = await service.register();
      const { address } = (await create(ada, "watched-key", { asset: "USDC" })).json;
      await pay(service.core, address, "5");
      // The watch runs every second, which only the real clock can show.
      const balance = async () => (await ada.send("GET", "/api/v1/me")).json.balanceUsd;
      const giveUpAt = performance.now() + 120_000;
      while ((await balance()) !== 5) assert.ok(performance.now() < giveUpAt);
    });
  });
});
