import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pay, simulatedOf } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { freshKey } from "#test/use-cases.ts";
import { watchSettlement } from "#features/deposits/watch-settlement.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";

const path = "/operator/v1/settlement";

forEachEngine((engine) => {
  describe("settlement at the operators' listener", () => {
    let service: TestService;
    let support: SignedInOperator;
    let customer: Customer;
    before(async () => {
      // The tests run the passes themselves.
      service = await startTestService(engine, { settings: { IRONLEASE_SETTLEMENT_EVERY: "1h" } });
      support = await service.operator("support");
      customer = await service.register();
    });
    after(() => service.close());

    const read = async () => {
      const { status, json, text } = await support.send("GET", path);
      assert.equal(status, 200, text);
      return json;
    };
    const newAddress = async (asset: string): Promise<string> => {
      const answer = await customer.send("POST", "/api/v1/deposit-addresses", {
        body: { asset },
        headers: { "idempotency-key": freshKey() },
      });
      return answer.json.address;
    };
    const watch = async (core = service.core) => {
      const { credited } = await watchSettlement(core);
      return credited;
    };

    test("every chain and every connected asset is listed", async () => {
      await watch();
      const { chains, rates, waiting, alarms } = await read();
      const networks = ["bitcoin", "litecoin", "monero", "ethereum"];
      assert.deepEqual(
        chains.map(({ network }: { network: string }) => network),
        networks,
      );
      const now = isoTime(service.clock.now());
      assert.deepEqual(chains[3], {
        network: "ethereum",
        mode: "SIMULATED",
        assets: ["ETH", "USDC", "USDT"],
        height: 0,
        behindBlocks: 0,
        scannedHeight: 0,
        scannedAt: now,
        error: null,
        balances: ["ETH", "USDC", "USDT"].map((asset) => ({
          asset,
          walletUnits: null,
          walletAt: null,
          ledgerUnits: "0",
        })),
      });
      assert.deepEqual(rates[1], {
        asset: "LTC",
        usd: "102.40",
        at: now,
        validUntil: isoTime(service.clock.now() + 60_000),
        sources: ["simulated"],
      });
      assert.equal(rates.length, 6);
      assert.deepEqual([waiting, alarms], [[], []]);
    });

    test("a confirmed deposit waits while there is no rate, with the fields of the deposit list", async () => {
      const address = await newAddress("LTC");
      await pay(service.core, address, "0.5", { transactionId: "waits" });
      await pay(service.core, address, "0.7", { transactionId: "confirming", confirmations: 1 });
      assert.equal(await watch({ ...service.core, rates: undefined }), 0);
      const { waiting } = await read();
      const { json } = await support.send("GET", "/operator/v1/deposits?query=waits");
      assert.equal(waiting.length, 1);
      assert.equal(waiting[0].transactionId, "waits");
      assert.deepEqual(waiting, json.deposits);
      assert.equal(waiting[0].rate, null);
      assert.equal(await watch(), 1);
      assert.deepEqual((await read()).waiting, []);
    });

    test("a payment that is lost after its credit is an alarm until it is back", async () => {
      const address = await newAddress("BTC");
      const transactionId = "lost";
      await pay(service.core, address, "0.01", { transactionId });
      assert.equal(await watch(), 1);
      await pay(service.core, address, "0.01", { transactionId, isGone: true });
      await watch();
      const { json } = await support.send("GET", "/operator/v1/deposits?query=lost");
      const [{ id, accountId, username }] = json.deposits;
      assert.deepEqual((await read()).alarms, [
        {
          id,
          kind: "LOST_AFTER_CREDIT",
          network: "bitcoin",
          transactionId,
          detail: `The network no longer confirms 0.01000000 BTC that was credited to ${username} (${accountId}). Check the transaction, then adjust the balance if needed.`,
          at: isoTime(service.clock.now()),
        },
      ]);
      await pay(service.core, address, "0.01", { transactionId });
      await watch();
      assert.deepEqual((await read()).alarms, []);
    });

    test("a chain that is down has no height, and the others still answer", async () => {
      const failure = new SettlementUnavailable("bitcoin cannot be reached (ECONNREFUSED)");
      simulatedOf(service.core).failNext("health", failure);
      const { chains, alarms } = await read();
      const down = chains.filter(({ height }: { height: number | null }) => height === null);
      assert.equal(down.length, 1);
      assert.equal(down[0].error, failure.message);
      assert.deepEqual([down[0].behindBlocks, chains.length], [null, 4]);
      assert.deepEqual(
        alarms.map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail]),
        [["CHAIN_UNAVAILABLE", failure.message]],
      );
      assert.deepEqual((await read()).alarms, []);
    });

    test("customers cannot read it", async () => {
      assert.equal((await customer.send("GET", path)).status, 404);
      assert.equal((await service.sendToDesk("GET", path)).status, 401);
    });
  });

  test("without a settlement provider all lists are empty", async () => {
    const service = await startTestService(engine, { settings: { IRONLEASE_SETTLEMENT: "none" } });
    const support = await service.operator("support");
    const { json } = await support.send("GET", path);
    assert.deepEqual(json, { chains: [], rates: [], waiting: [], alarms: [] });
    await service.close();
  });
});
