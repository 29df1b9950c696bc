import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import { forecastRenewals } from "#server/features/renewals/forecast-renewals.ts";
import { listWork } from "#server/features/work/list-work.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { shareOfTerm } from "#server/kernel/terms.ts";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { auditOf, balanceOf, messageOf, queueDdos, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import {
  accept,
  ddosChargesOf,
  ddosWorkOf,
  offer,
  quoteOf,
  requestMode,
  stateOf,
} from "#test/quotes.ts";
import { adjust } from "#test/rental-service.ts";
import { assertInvariantsHold, seedServer, type ServerSeed } from "#test/rental.ts";
import { messagesOf } from "#test/threads.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import {
  claimWork,
  completeWork,
  failWork,
  offerQuote,
  readWork,
  releaseWork,
} from "#test/work.ts";

const dayMs = 86_400_000;

test("the share of a term is rounded half up, and nothing is left after its end", () => {
  const share = (cents: number, leftMs: number) =>
    shareOfTerm(cents, { term: "monthly", paidThrough: leftMs }, 0);
  assert.deepEqual(
    [30 * dayMs, 15 * dayMs, 15 * dayMs - 1, 1, 0, -1].map((left) => share(101, left)),
    [101, 51, 50, 0, 0, 0],
  );
  // Two terms ahead, after a renewal in advance. Exact beyond 2^53.
  assert.equal(share(9_999_999, 60 * dayMs), 19_999_998);
  assert.equal(shareOfTerm(700, { term: "weekly", paidThrough: dayMs }, 0), 100);
});

forEachEngine((engine) => {
  describe("DDoS quotes", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      [ada, bob] = [await operatorCall(core, "support"), await operatorCall(core, "support")];
    });
    afterEach(() => assertInvariantsHold(core.db));
    after(() => testCore.dispose());

    /** A request for ADVANCED on a server of 99.00 USD a month. */
    const request = async (cents: number, seed: ServerSeed = {}): Promise<Queued> => {
      const { accountId } = await register(core);
      if (cents > 0) await adjust(core, accountId, cents);
      const { id, machineId } = await seedServer(core, accountId, seed);
      const item = { workId: "", accountId, subjectId: id, machineId };
      await valueOf(requestMode(core, item, "ADVANCED"));
      return { ...item, workId: await latestWork(id) };
    };
    const latestWork = (serverId: string) => ddosWorkOf(core, serverId);
    const complete = async ({ workId }: Queued, input: { quoteUsd?: number } = {}) => {
      await valueOf(claimWork(core, bob, workId));
      return completeWork(core, bob, workId, input);
    };
    const textsOf = async (item: Queued) =>
      (await messagesOf(core, item.accountId)).map(([, sender, text]) => `${sender}: ${text}`);
    const pass = async () => {
      const { counts, failures } = await renewDueServers(core);
      assert.deepEqual(failures, []);
      return counts;
    };

    test("an offer waits for the customer, who accepts it; applying charges the rest of the term", async () => {
      const item = await request(20_000);
      testCore.clock.advance(10 * dayMs);
      const offered = await offer(core, ada, item.workId, 50.01);
      assert.deepEqual(
        [offered.state, offered.claimedBy, offered.waitingSince, offered.detail["quoteCents"]],
        ["WAITING", null, core.clock.now(), 5_001],
      );
      const open = { mode: "BASELINE", requestedMode: "ADVANCED", ddosCents: 0 };
      assert.deepEqual(await quoteOf(core, item), { ...open, quoteRequired: true, quote: 5_001 });
      const [told] = await textsOf(item);
      assert.match(
        told ?? "",
        /^OPERATOR: DDoS mode ADVANCED: .* for 50\.01 USD per term\..*by \d/,
      );

      const answer = { status: "QUEUED", mode: "ADVANCED", quoteRequired: false };
      const first = await valueOf(accept(core, item, 50.01, "accept-once"));
      assert.deepEqual([first.status, first.body, first.replayed], [202, answer, false]);
      assert.equal((await valueOf(accept(core, item, 50.01, "accept-once"))).replayed, true);
      assert.deepEqual((await valueOf(accept(core, item, 50.01))).body, answer);
      assert.equal(await codeOf(accept(core, item, 49, "accept-once")), "idempotency_conflict");
      assert.equal(await stateOf(core, item.workId), "OPEN");
      assert.deepEqual(await quoteOf(core, item), { ...open, quoteRequired: false, quote: 5_001 });
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 20_000, held: 0 });

      testCore.clock.advance(5 * dayMs);
      assert.equal((await valueOf(complete(item))).outcome, "APPLIED");
      // Half of 50.01 USD, rounded half up.
      assert.deepEqual(await ddosChargesOf(core, item.subjectId), [2_501]);
      assert.deepEqual(await quoteOf(core, item), {
        ...{ mode: "ADVANCED", requestedMode: null, quoteRequired: false, quote: null },
        ddosCents: 5_001,
      });

      testCore.clock.advance(15 * dayMs);
      const { charged, cents } = await pass();
      assert.deepEqual([charged, cents], [1, 9_900 + 5_001]);
      await valueOf(requestMode(core, item, "BASELINE"));
      await valueOf(complete({ ...item, workId: await latestWork(item.subjectId) }));
      assert.equal((await quoteOf(core, item)).ddosCents, 0);
      const { available } = await balanceOf(core, item.accountId);
      assert.equal(available, 20_000 - 2_501 - 9_900 - 5_001);
      await adjust(core, item.accountId, 9_900 - available);
      testCore.clock.advance(30 * dayMs);
      assert.equal((await pass()).cents, 9_900);
      assert.deepEqual(
        (await auditOf(core, item.subjectId)).map(([, action]) => action),
        [
          ...["server.request_ddos_mode", "server.offer_ddos_quote", "server.accept_ddos_quote"],
          ...["server.set_ddos_mode", "server.renew", "server.request_ddos_mode"],
          ...["server.set_ddos_mode", "server.renew"],
        ],
      );
    });

    test("a waiting item keeps waiting when its claim is released or expires, and lists by its state", async () => {
      const item = await request(0);
      await offer(core, ada, item.workId, 50);
      const listed = async (state: "OPEN" | "WAITING" | "CLAIMED") =>
        (await listWork(core, { kind: "DDOS", state })).some(({ id }) => id === item.workId);
      const statesOf = async () => [
        await stateOf(core, item.workId),
        ...[await listed("OPEN"), await listed("WAITING"), await listed("CLAIMED")],
      ];
      assert.deepEqual(await statesOf(), ["WAITING", false, true, false]);
      await valueOf(claimWork(core, bob, item.workId));
      assert.deepEqual(await statesOf(), ["CLAIMED", false, false, true]);
      await valueOf(releaseWork(core, bob, item.workId));
      assert.deepEqual(await statesOf(), ["WAITING", false, true, false]);
      await valueOf(claimWork(core, bob, item.workId));
      testCore.clock.advance(core.rules.leaseMs);
      assert.deepEqual(await statesOf(), ["WAITING", false, true, false]);
      assert.equal(
        await codeOf(offerQuote(core, bob, { workId: item.workId, quoteUsd: 1 })),
        "conflict",
      );

      // The customer may accept while an operator holds the item, who keeps it.
      await valueOf(claimWork(core, bob, item.workId));
      await valueOf(accept(core, item, 50));
      assert.deepEqual(await statesOf(), ["CLAIMED", false, false, true]);
      await valueOf(releaseWork(core, bob, item.workId));
      assert.deepEqual(await statesOf(), ["OPEN", true, false, false]);
    });

    test("another price, an expired one or none is 409 quote_changed and leaves the quote", async () => {
      const item = await request(0);
      assert.equal(await codeOf(accept(core, item, 50)), "quote_changed");
      await offer(core, ada, item.workId, 50);
      await offer(core, bob, item.workId, 60);
      assert.equal(await codeOf(accept(core, item, 50)), "quote_changed");
      assert.equal((await quoteOf(core, item)).quote, 6_000);
      testCore.clock.advance(14 * dayMs);
      assert.equal((await quoteOf(core, item)).quote, null);
      assert.equal(await codeOf(accept(core, item, 60)), "quote_changed");
      for (const usd of [-1, 1.005]) {
        assert.equal(await codeOf(accept(core, item, usd)), "validation_failed");
      }
      // An operator who is in time before the pass renews the offer.
      await offer(core, ada, item.workId, 60);
      assert.equal(await codeOf(accept(core, item, 60)), "ok");
    });

    test("an offer needs the claim, ADVANCED, a price in bounds, and no accepted quote", async () => {
      const item = await request(0);
      const offering = (workId: string, quoteUsd: number) =>
        messageOf(offerQuote(core, ada, { workId, quoteUsd }));
      assert.match(await offering(item.workId, 50), /not claimed/);
      await valueOf(claimWork(core, ada, item.workId));
      for (const quoteUsd of [-1, 0.001, 100_000.01]) {
        const offered = offerQuote(core, ada, { workId: item.workId, quoteUsd });
        assert.equal(await codeOf(offered), "validation_failed");
      }
      const back = await queueDdos(core, "BASELINE");
      assert.match(await offering(back.workId, 50), /Only a request for DDoS mode ADVANCED/);
      await offer(core, ada, item.workId, 50);
      assert.match(await messageOf(complete(item, { quoteUsd: 50 })), /has not accepted/);
      await valueOf(accept(core, item, 50));
      await valueOf(releaseWork(core, bob, item.workId));
      await valueOf(claimWork(core, ada, item.workId));
      assert.match(await offering(item.workId, 60), /has accepted the quote/);
      assert.match(
        await messageOf(completeWork(core, ada, item.workId, { quoteUsd: 60 })),
        /accepted the quote of 50\.00 USD/,
      );
    });

    test("without the balance nothing is applied, and the customer gets one message a day", async () => {
      const item = await request(4_999);
      await offer(core, ada, item.workId, 50);
      await valueOf(accept(core, item, 50));
      const before = await textsOf(item);
      assert.equal(await codeOf(complete(item)), "insufficient_balance");
      assert.match(
        await messageOf(completeWork(core, bob, item.workId, {})),
        /has \$49\.99; this needs \$50\.00/,
      );
      const added = (await textsOf(item)).slice(before.length);
      assert.equal(added.length, 1);
      assert.match(added[0] ?? "", /^OPERATOR: .*not applied yet.* 50\.00 USD .*Add funds/);
      assert.equal(await stateOf(core, item.workId), "CLAIMED");
      assert.deepEqual(await ddosChargesOf(core, item.subjectId), []);
      assert.equal((await quoteOf(core, item)).mode, "BASELINE");
      await adjust(core, item.accountId, -4_999);
      testCore.clock.advance(dayMs);
      assert.equal(await codeOf(complete(item)), "insufficient_balance");
      assert.equal((await textsOf(item)).length, before.length + 2);
      await adjust(core, item.accountId, 10_000);
      assert.equal(await codeOf(completeWork(core, bob, item.workId, {})), "ok");
      assert.deepEqual(await ddosChargesOf(core, item.subjectId), [4_833]);
    });

    test("without an offer, the amount that the operator names is charged, and none means 0", async () => {
      const named = await request(12_345);
      await valueOf(complete(named, { quoteUsd: 120.5 }));
      assert.deepEqual(await ddosChargesOf(core, named.subjectId), [12_050]);
      assert.equal((await quoteOf(core, named)).ddosCents, 12_050);
      const silent = await request(0);
      await valueOf(complete(silent));
      assert.deepEqual(await ddosChargesOf(core, silent.subjectId), []);
      assert.equal((await quoteOf(core, silent)).ddosCents, 0);
    });

    test("declining, failing and the end of the server remove the quote", async () => {
      const declined = await request(0);
      await offer(core, ada, declined.workId, 50);
      await valueOf(claimWork(core, bob, declined.workId));
      assert.equal(
        (await valueOf(requestMode(core, declined, "BASELINE"))).body.status,
        "UNCHANGED",
      );
      const { state, outcome, note, waitingSince } = await valueOf(readWork(core, declined.workId));
      assert.deepEqual(
        [state, outcome, note, waitingSince],
        ["FAILED", "WITHDRAWN", "The customer declined the quote of 50.00 USD.", null],
      );
      assert.equal(await codeOf(completeWork(core, bob, declined.workId, {})), "conflict");
      assert.equal((await quoteOf(core, declined)).quote, null);
      assert.equal(await codeOf(accept(core, declined, 50)), "quote_changed");
      // The next request starts without the old quote.
      assert.equal(
        (await valueOf(requestMode(core, declined, "ADVANCED"))).body.quoteRequired,
        true,
      );
      assert.equal((await quoteOf(core, declined)).quote, null);

      const failed = await request(0);
      await offer(core, ada, failed.workId, 50);
      await valueOf(claimWork(core, ada, failed.workId));
      await valueOf(failWork(core, ada, failed.workId, { reason: "No capacity." }));
      assert.equal((await quoteOf(core, failed)).quote, null);

      const ended = await request(0, { state: "GRACE", autoRenew: false });
      await offer(core, ada, ended.workId, 50);
      testCore.clock.advance(core.rules.graceMs);
      const { terminated, expiredQuotes } = await pass();
      assert.deepEqual([terminated, expiredQuotes], [1, 0]);
      assert.equal(await stateOf(core, ended.workId), "FAILED");
      assert.equal(await codeOf(accept(core, ended, 50)), "not_found");
    });

    test("the renewals pass withdraws an expired request and tells the customer; an accepted one stays", async () => {
      const [lapsed, accepted] = [await request(0, { autoRenew: true }), await request(0)];
      for (const { workId } of [lapsed, accepted]) await offer(core, ada, workId, 50);
      await valueOf(accept(core, accepted, 50));
      testCore.clock.advance(14 * dayMs - 1);
      assert.equal((await pass()).expiredQuotes, 0);
      testCore.clock.advance(1);
      await valueOf(claimWork(core, bob, lapsed.workId));
      const { expiredQuotes } = await forecastRenewals(core, core.clock.now(), () => {});
      assert.equal(expiredQuotes, 1);
      assert.equal((await pass()).expiredQuotes, 1);
      assert.equal((await pass()).expiredQuotes, 0);
      const { state, outcome, claimedBy } = await valueOf(readWork(core, lapsed.workId));
      assert.deepEqual([state, outcome, claimedBy], ["FAILED", "EXPIRED", null]);
      assert.deepEqual(await quoteOf(core, lapsed), {
        ...{ mode: "BASELINE", requestedMode: null, quoteRequired: false, quote: null },
        ddosCents: 0,
      });
      assert.match((await textsOf(lapsed)).at(-1) ?? "", /^SERVICE: .*50\.00 USD .* has expired/);
      assert.equal((await auditOf(core, lapsed.subjectId)).at(-1)?.[1], "server.expire_ddos_quote");
      assert.equal((await quoteOf(core, accepted)).quote, 5_000);
      assert.equal(await stateOf(core, accepted.workId), "OPEN");
    });

    test("a server that cannot pay price and quote together enters grace, and BASELINE lets it renew", async () => {
      const item = await request(5_000);
      await valueOf(complete(item, { quoteUsd: 50 }));
      await adjust(core, item.accountId, 14_899);
      testCore.clock.advance(30 * dayMs);
      assert.equal((await pass()).graced, 1);
      assert.equal((await pass()).charged, 0);
      await valueOf(requestMode(core, item, "BASELINE"));
      await valueOf(complete({ ...item, workId: await latestWork(item.subjectId) }));
      const { healed, cents } = await pass();
      assert.deepEqual([healed, cents], [1, 9_900]);
    });

    test("in grace nothing of the term is left to charge; a suspended server is charged as usual", async () => {
      const late = await request(0, { state: "GRACE" });
      await valueOf(complete(late, { quoteUsd: 50 }));
      assert.deepEqual(await ddosChargesOf(core, late.subjectId), []);
      assert.equal((await quoteOf(core, late)).ddosCents, 5_000);
      const suspended = await request(5_000, { state: "SUSPENDED" });
      await offer(core, ada, suspended.workId, 50);
      await valueOf(accept(core, suspended, 50));
      await valueOf(complete(suspended));
      assert.deepEqual(await ddosChargesOf(core, suspended.subjectId), [5_000]);
    });

    test("a quote is not charged before delivery, because the term has not begun", async () => {
      const item = await request(5_000, { state: "PROVISIONING" });
      await offer(core, ada, item.workId, 50);
      await valueOf(accept(core, item, 50));
      assert.match(await messageOf(complete(item)), /not delivered yet/);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 5_000, held: 0 });
      const free = await request(0, { state: "PROVISIONING" });
      assert.equal(await codeOf(complete(free)), "ok");
    });

    test("one account cannot accept the quote of another", async () => {
      const item = await request(0);
      await offer(core, ada, item.workId, 50);
      const { accountId } = await register(core);
      assert.equal(await codeOf(accept(core, { ...item, accountId }, 50)), "not_found");
      assert.equal(await stateOf(core, item.workId), "WAITING");
    });
  });
});
