import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { dayMs, RentedServers } from "#test/renewals.ts";
import { forecastRenewals } from "./forecast-renewals.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import type { RenewalStep } from "./renewal-step.ts";

const server = fc.record({
  account: fc.nat(2),
  term: fc.constantFrom("weekly" as const, "monthly" as const),
  priceCents: fc.constantFrom(1_000, 1_500),
  autoRenew: fc.boolean(),
  state: fc.constantFrom("ACTIVE" as const, "GRACE" as const, "SUSPENDED" as const),
  /** Before the next one is delivered. */
  pauseMs: fc.constantFrom(0, 1, dayMs),
});
const situation = fc.record({
  servers: fc.array(server, { minLength: 1, maxLength: 8 }),
  balances: fc.array(fc.constantFrom(0, 999, 2_500, 7_000), { minLength: 3, maxLength: 3 }),
  afterMs: fc.constantFrom(0, 7 * dayMs, 31 * dayMs, 70 * dayMs),
});

forEachEngine((engine) => {
  describe("a renewal forecast", () => {
    const rented = RentedServers.forEachTest(engine);

    const rowsIn = async () => {
      const { read } = rented.core.db;
      return [
        await read.selectFrom("servers").selectAll().orderBy("id").execute(),
        await read.selectFrom("balances").selectAll().orderBy("account_id").execute(),
        await read.selectFrom("journal").select("id").orderBy("id").execute(),
        await read.selectFrom("work").select("id").orderBy("id").execute(),
        await read.selectFrom("audit").select("id").orderBy("id").execute(),
      ];
    };

    test("lists the same steps as a pass at that time, and writes nothing", async () => {
      const numRuns = engine === "sqlite" ? 40 : 12;
      let steps = 0;
      await fc.assert(
        fc.asyncProperty(situation, async ({ servers, balances, afterMs }) => {
          const { core } = rented;
          const accountIds: string[] = [];
          for (const cents of balances) accountIds.push(await rented.customer(cents));
          for (const { account, pauseMs, ...seed } of servers) {
            await rented.server(accountIds[account] ?? assert.fail(), seed);
            rented.advance(pauseMs);
          }
          rented.advance(afterMs);

          const before = await rowsIn();
          const foreseen: RenewalStep[] = [];
          const counts = await forecastRenewals(core, rented.now, (step) => foreseen.push(step));
          assert.deepEqual(await rowsIn(), before);
          const taken: RenewalStep[] = [];
          const pass = await renewDueServers(core, { onStep: (step) => taken.push(step) });
          assert.deepEqual(taken, foreseen);
          assert.deepEqual(pass, { counts, failures: [] });
          assert.deepEqual(await forecastRenewals(core, rented.now, () => assert.fail()), {
            charged: 0,
            extended: 0,
            graced: 0,
            healed: 0,
            terminated: 0,
            cents: 0,
            expiredQuotes: 0,
          });
          steps += taken.length;
        }),
        { numRuns },
      );
      assert.ok(steps > numRuns, "too few steps were due");
      await assertInvariantsHold(rented.core.db);
    });

    test("continues beyond one page of servers", async () => {
      const accountId = await rented.customer(0);
      for (let index = 0; index < 501; index += 1) {
        await rented.server(accountId, { addressSets: 0 });
      }
      rented.advance(30 * dayMs);
      const counts = await forecastRenewals(rented.core, rented.now, () => {});
      assert.equal(counts.graced, 501);
    });
  });
});
