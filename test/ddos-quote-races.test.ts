import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { balanceOf, queueDdos, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { accept, ddosChargesOf, offer, quoteOf, requestMode, stateOf } from "#test/quotes.ts";
import { adjust } from "#test/rental-service.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, offerQuote } from "#test/work.ts";

const rounds = 8;
const dayMs = 86_400_000;

forEachEngine((engine) => {
  describe("races for a DDoS quote, on two instances", () => {
    let testCore: TestCore;
    let core: Core;
    let other: Core;
    let ada: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      other = await testCore.reopen();
      ada = await operatorCall(core, "support");
    });
    after(async () => {
      await assertInvariantsHold(core.db);
      await testCore.dispose();
    });

    const offered = async (): Promise<Queued> => {
      const item = await queueDdos(core);
      await offer(core, ada, item.workId, 50);
      return item;
    };

    test("a price is accepted or changed, never both", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const item = await offered();
        const { workId } = item;
        await valueOf(claimWork(core, ada, workId));
        const codes = await Promise.all([
          codeOf(accept(core, item, 50)),
          codeOf(offerQuote(other, ada, { workId, quoteUsd: 60 })),
        ]);
        const isAccepted = codes[0] === "ok";
        assert.deepEqual(codes, isAccepted ? ["ok", "conflict"] : ["quote_changed", "ok"]);
        const { quote, quoteRequired } = await quoteOf(core, item);
        assert.deepEqual([quote, quoteRequired], isAccepted ? [5_000, false] : [6_000, true]);
        assert.equal(await stateOf(core, workId), isAccepted ? "CLAIMED" : "WAITING");
      }
    });

    test("a request is applied and charged, or declined, never both", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const item = await offered();
        await valueOf(accept(core, item, 50));
        await valueOf(claimWork(core, ada, item.workId));
        const [completed, declined] = await Promise.all([
          codeOf(completeWork(core, ada, item.workId, {})),
          valueOf(requestMode(other, item, "BASELINE")),
        ]);
        const isApplied = completed === "ok";
        if (!isApplied) assert.equal(completed, "conflict");
        // BASELINE after ADVANCED is a new request. BASELINE instead of it declines the quote.
        assert.equal(declined.body.status, isApplied ? "QUEUED" : "UNCHANGED");
        assert.deepEqual(await ddosChargesOf(core, item.subjectId), isApplied ? [5_000] : []);
        assert.equal((await quoteOf(core, item)).ddosCents, isApplied ? 5_000 : 0);
      }
    });

    test("ten acceptances have one effect", async () => {
      const item = await offered();
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          codeOf(accept(index % 2 === 0 ? core : other, item, 50)),
        ),
      );
      assert.deepEqual(new Set(codes), new Set(["ok"]));
      const accepted = await core.db.read
        .selectFrom("audit")
        .select("id")
        .where("subject", "=", item.subjectId)
        .where("action", "=", "server.accept_ddos_quote")
        .execute();
      assert.equal(accepted.length, 1);
    });

    test("a renewal and a completion at the end of a term charge the quote for one term", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const item = await offered();
        await valueOf(accept(core, item, 50));
        await adjust(core, item.accountId, 9_900 + 5_000 - 12_050);
        testCore.clock.advance(30 * dayMs);
        await valueOf(claimWork(core, ada, item.workId));
        const [code, { failures }] = await Promise.all([
          codeOf(completeWork(core, ada, item.workId, {})),
          renewDueServers(other),
        ]);
        assert.deepEqual([code, failures], ["ok", []]);
        await renewDueServers(core);
        assert.deepEqual(await balanceOf(core, item.accountId), { available: 0, held: 0 });
      }
    });

    test("a quote that is accepted after a pass has read it does not expire", async () => {
      const asOf = core.clock.now() + 14 * dayMs;
      // Nothing else is left to do, so the first write of the next pass is the expiry.
      await renewDueServers(core, { asOf });
      const item = await offered();
      let accepted = "";
      const slow: Core = {
        ...core,
        db: {
          ...core.db,
          write: async (work, violations, owner) => {
            if (accepted === "") accepted = await codeOf(accept(other, item, 50));
            return core.db.write(work, violations, owner);
          },
        },
      };
      const { counts, failures } = await renewDueServers(slow, { asOf });
      assert.deepEqual([accepted, failures, counts.expiredQuotes], ["ok", [], 0]);
      assert.equal(await stateOf(core, item.workId), "OPEN");
    });

    test("two passes withdraw an expired request once", async () => {
      const item = await offered();
      testCore.clock.advance(14 * dayMs);
      const passes = await Promise.all([renewDueServers(core), renewDueServers(other)]);
      assert.deepEqual(
        passes.flatMap(({ failures }) => failures),
        [],
      );
      assert.equal(
        passes.reduce((sum, { counts }) => sum + counts.expiredQuotes, 0),
        1,
      );
      assert.equal(await stateOf(core, item.workId), "FAILED");
    });
  });
});
