import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { placeOrder } from "#server/features/orders/place-order.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import { requestWithdrawal } from "#server/features/withdrawals/request-withdrawal.ts";
import type { Core } from "#server/kernel/core.ts";
import { register, testClient, type TestCore } from "#test/core.ts";
import { addressFor, balanceOf, createDepositCore, pay } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { adjust, order, stockUp } from "#test/rental-service.ts";
import { assertInvariantsHold, seedServer, type SeededServer } from "#test/rental.ts";
import { chargesOf, dayMs, rentOf } from "#test/renewals.ts";
import { codeOf, intentOf } from "#test/use-cases.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const priceCents = 1_000;
const serversEach = 15;

interface Customer {
  readonly accountId: string;
  readonly address: string;
  readonly servers: readonly SeededServer[];
}

forEachEngine((engine) => {
  describe("renewals on three instances under load", () => {
    let opened: TestCore;
    let instances: readonly Core[];
    let customers: readonly Customer[];
    let deliveredAt: number;

    before(async () => {
      opened = await createDepositCore(engine);
      const { core } = opened;
      instances = [core, await opened.reopen(), await opened.reopen()];
      await stockUp(core);
      deliveredAt = core.clock.now();
      customers = await Promise.all(Array.from({ length: 20 }, (_, index) => rent(core, index)));
    });
    after(() => opened.dispose());

    /** Every second customer can pay for everything. The others run out of money. */
    const rent = async (core: Core, index: number): Promise<Customer> => {
      const { accountId } = await register(core);
      await adjust(core, accountId, index % 2 === 0 ? 1_000_000 : 17_500);
      const address = await addressFor(core, accountId, "USDT");
      const servers: SeededServer[] = [];
      for (let count = 0; count < serversEach; count += 1) {
        const seed = { term: "weekly", priceCents, addressSets: 0 } as const;
        servers.push(await seedServer(core, accountId, seed));
      }
      return { accountId, address, servers };
    };

    /** The requests of a customer during the renewals. */
    const sendRequests = async (
      core: Core,
      { accountId, address }: Customer,
    ): Promise<string[]> => {
      const transactionId = `tx-${address}`;
      const requests = [
        codeOf(
          placeOrder(
            core,
            { accountId, client: testClient, intent: intentOf("placeOrder") },
            order,
          ),
        ),
        codeOf(
          requestWithdrawal(
            core,
            { accountId, client: testClient, intent: intentOf("requestWithdrawal") },
            {
              asset: "ETH",
              destination,
              usd: 7.5,
            },
          ),
        ),
        pay(core, address, "13.37", { transactionId, confirmations: 100 })
          .then(() => watchSettlement(core))
          .then(({ failures }) => (failures.length === 0 ? "ok" : failures.map(String).join())),
      ];
      return Promise.all(requests);
    };

    test("each period is charged once, and the only refusals are for insufficient balance", async () => {
      opened.clock.advance(15 * dayMs);
      const at = (index: number) => instances[index % instances.length] ?? assert.fail();
      const [answers, ...passes] = await Promise.all([
        Promise.all(customers.map((customer, index) => sendRequests(at(index), customer))),
        ...[...instances, ...instances].map((core) => renewDueServers(core)),
      ]);
      const unexpected = answers
        .flat()
        .filter((answer) => answer !== "ok" && answer !== "insufficient_balance");
      assert.deepEqual(unexpected, []);
      assert.deepEqual(
        passes.flatMap(({ failures }) => failures),
        [],
      );
      // Renew the servers whose deposit arrived after their customer's turn.
      passes.push(await renewDueServers(at(0)));

      let charges = 0;
      for (const { accountId, servers } of customers) {
        const cents = await balanceOf(opened.core, accountId);
        for (const { id } of servers) {
          const causes = (await chargesOf(opened.core, id)).map(({ cause }) => cause);
          const { paidThrough } = await rentOf(opened.core, id);
          const first = deliveredAt + 7 * dayMs;
          assert.equal(paidThrough, first + causes.length * 7 * dayMs);
          assert.deepEqual(
            causes,
            causes.map((_, index) => `renewal/${id}/${first + index * 7 * dayMs}`),
          );
          if (cents >= priceCents) assert.ok((paidThrough ?? 0) > opened.clock.now());
          charges += causes.length;
        }
      }
      const counted = passes.reduce((sum, { counts }) => sum + counts.charged, 0);
      assert.equal(counted, charges);
      assert.ok(charges > 10 * serversEach * 2, "too few renewals");
    });

    test("another pass on each instance finds nothing to do", async () => {
      for (const core of instances) {
        const { counts } = await renewDueServers(core);
        assert.ok(Object.values(counts).every((count) => count === 0));
      }
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(opened.core.db));
  });
});
