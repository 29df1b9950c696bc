import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { adjust } from "#test/rental-service.ts";
import { dayMs, crashingIds, RentedServers, stateOf } from "#test/renewals.ts";
import { startRenewals } from "./renewal-timer.ts";
import type { RenewalCounts } from "./renewal-counts.ts";

forEachEngine((engine) => {
  describe("the renewal timer", () => {
    const rented = RentedServers.forEachTest(engine);

    test("each pass reports its counts: a server enters grace without money and leaves it after a deposit", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(0);
      rented.advance(30 * dayMs);
      const told: RenewalCounts[] = [];
      const graced = Promise.withResolvers<void>();
      const healed = Promise.withResolvers<void>();
      const passes = startRenewals(core, 1, {
        onPass: (counts, failures) => {
          assert.equal(failures, 0);
          told.push(counts);
          if (counts.graced > 0) graced.resolve();
          if (counts.healed > 0) healed.resolve();
        },
        onFailure: healed.reject,
      });
      await graced.promise;
      assert.equal(await stateOf(core, server.id), "GRACE");
      await adjust(core, server.accountId, 1_000);
      await healed.promise;
      await passes.stop();
      assert.equal(await stateOf(core, server.id), "ACTIVE");
      const sum = (name: keyof RenewalCounts) => told.reduce((all, one) => all + one[name], 0);
      assert.deepEqual([sum("graced"), sum("charged"), sum("cents")], [1, 1, 1_000]);
    });

    test("a server whose renewal fails is reported and retried", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(1_000);
      rented.advance(30 * dayMs);
      const reported: unknown[] = [];
      const renewed = Promise.withResolvers<void>();
      const dying = crashingIds(core.ids, 1);
      const next: typeof core.ids.next = (kind) =>
        (reported.length < 2 ? dying : core.ids).next(kind);
      const passes = startRenewals({ ...core, ids: { ...core.ids, next } }, 1, {
        onPass: ({ charged }) => {
          if (charged === 1) renewed.resolve();
        },
        onFailure: (error) => reported.push(error),
      });
      await renewed.promise;
      await passes.stop();
      assert.deepEqual(reported.map(String), [
        `RenewalFailed: ${server.id} was not renewed`,
        `RenewalFailed: ${server.id} was not renewed`,
      ]);
    });
  });
});
