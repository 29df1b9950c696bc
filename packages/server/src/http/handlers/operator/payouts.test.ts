import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { watchPayouts } from "#features/payouts/watch-payouts.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { destination, queueWithdrawal } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { PayoutNetwork, signPayout, withPayouts } from "#test/payout-network.ts";
import { assertInvariants } from "#test/rental-service.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { freshKey } from "#test/use-cases.ts";

const payouts = "/operator/v1/payouts";
const minuteMs = 60_000;
const bitcoin = {
  asset: "BTC",
  destination: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
} as const;
const reason = "The customer asked for it.";

forEachEngine((engine) => {
  describe("payouts over HTTPS", () => {
    const network = new PayoutNetwork();
    let service: TestService;
    let ada: SignedInOperator;
    let bob: SignedInOperator;
    let support: SignedInOperator;
    before(async () => {
      service = await startTestService(engine, {
        settlement: (simulated) => withPayouts(simulated, network),
        settings: { IRONLEASE_SETTLEMENT_EVERY: "1h" },
      });
      ada = await service.operator("finance");
      bob = await service.operator("finance");
      support = await service.operator("support");
    });
    after(() => service.close());

    const post = (by: SignedInOperator, path: string, body?: unknown) =>
      by.send("POST", `/operator/v1/${path}`, body === undefined ? {} : { body });
    const prepare = (by: SignedInOperator, workIds: unknown, key = freshKey()) =>
      by.send("POST", payouts, { body: { workIds }, headers: { "idempotency-key": key } });
    const step = (by: SignedInOperator, { id }: { id: string }, verb: string, body?: unknown) =>
      post(by, `payouts/${id}/${verb}`, body);
    const read = async ({ id }: { id: string }) => (await ada.send("GET", `${payouts}/${id}`)).json;
    const workOf = async (workId: string) =>
      (await ada.send("GET", `/operator/v1/work/${workId}`)).json;
    /** A withdrawal that the operator has claimed. */
    const review = async (by = ada, cents?: number, to?: typeof bitcoin) => {
      const queued = await queueWithdrawal(service.core, cents, to);
      const claimed = await post(by, `work/${queued.workId}/claim`);
      assert.equal(claimed.status, 200, claimed.text);
      return queued.workId;
    };
    const prepared = async (by = ada, cents?: number) => {
      const answer = await prepare(by, [await review(by, cents)]);
      assert.equal(answer.status, 201, answer.text);
      return answer.json;
    };
    const sign = (by: SignedInOperator, payout: { id: string; unsigned: string }) =>
      step(by, payout, "signed", { signed: signPayout(payout.unsigned) });
    const signed = async (by = ada, cents?: number) => {
      const answer = await sign(by, await prepared(by, cents));
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const follow = async () => {
      const { failures, ...counts } = await watchPayouts(service.core);
      assert.deepEqual(failures, []);
      return counts;
    };
    const fieldsOf = ({ json }: Answer): string[] =>
      json.error.fields.map(({ field }: { field: string }) => field);
    const assertConflict = (answer: Answer, message: RegExp) => {
      assert.deepEqual([answer.status, codeOf(answer)], [409, "conflict"], answer.text);
      assert.match(answer.json.error.message, message);
    };
    /** How often the network pays these. */
    const paymentsOf = ({ transactionId }: { transactionId: string }) =>
      network.transactions.filter((sent) => sent.transactionId === transactionId).length;

    test("a payout of two withdrawals is 201, then 200 with each state until it is CONFIRMED", async () => {
      const workIds = [await review(ada, 318_050), await review(ada, 31_805)];
      const now = isoTime(service.clock.now());
      const answer = await prepare(ada, workIds);
      assert.equal(answer.status, 201, answer.text);
      const { id, unsigned, transactionId, withdrawals, ...shown } = answer.json;
      assert.deepEqual(shown, {
        state: "PREPARED",
        createdAt: now,
        asset: "ETH",
        network: "ethereum",
        format: "psbt",
        amount: "1.100000000000000000",
        usd: 3_498.55,
        fee: "0.000000000000001000",
        feeAsset: "ETH",
        rate: "3180.50",
        expiresAt: isoTime(service.clock.now() + 30 * minuteMs),
        preparedBy: ada.username,
        signedBy: null,
        broadcastBy: null,
        broadcastAt: null,
        from: null,
        confirmations: 0,
        confirmationsRequired: 12,
        endedAt: null,
        error: null,
        bumpFee: null,
        bumpSigned: false,
      });
      const paid = withdrawals.map((item: Record<string, unknown>) => [
        ...[item["workId"], item["destination"], item["usd"], item["amount"]],
      ]);
      assert.deepEqual(paid, [
        [workIds[0], destination, 3_180.5, "1.000000000000000000"],
        [workIds[1], destination, 318.05, "0.100000000000000000"],
      ]);

      const uploaded = await sign(bob, answer.json);
      assert.equal(uploaded.status, 200, uploaded.text);
      const signedRecord = { state: "SIGNED", signedBy: bob.username, expiresAt: null };
      assert.deepEqual(uploaded.json, { ...answer.json, ...signedRecord });
      assert.deepEqual((await sign(ada, answer.json)).json, uploaded.json);
      assert.equal(paymentsOf({ transactionId }), 0);

      const sent = await step(ada, { id }, "broadcast");
      const approved = { state: "BROADCAST", broadcastBy: ada.username, broadcastAt: now };
      assert.deepEqual([sent.status, sent.json], [200, { ...uploaded.json, ...approved }]);
      for (const workId of workIds) {
        const { state, outcome, note } = await workOf(workId);
        assert.deepEqual([state, outcome, note], ["DONE", "PAID", `Payout ${id}`]);
      }
      const again = await step(bob, { id }, "broadcast");
      assert.deepEqual([again.status, again.json], [200, sent.json]);
      assert.equal(paymentsOf({ transactionId }), 1);

      network.confirm(transactionId, 11);
      assert.deepEqual(await follow(), { lapsed: 0, confirmed: 0, failed: 0 });
      assert.deepEqual(await read({ id }), { ...sent.json, confirmations: 11 });
      network.confirm(transactionId, 12);
      assert.deepEqual(await follow(), { lapsed: 0, confirmed: 1, failed: 0 });
      const ended = { state: "CONFIRMED", endedAt: now, confirmations: 12 };
      const confirmed = { ...sent.json, ...ended };
      assert.deepEqual(await read({ id }), confirmed);
      const list = await support.send("GET", payouts);
      const { unsigned: _, ...summary } = confirmed;
      assert.deepEqual([list.status, list.json], [200, { payouts: [summary] }]);
      assert.equal((await step(ada, { id }, "broadcast")).status, 200);
      assert.ok(unsigned.length > 0);
    });

    test("the same key replays the answer, and the same key for other items is 409", async () => {
      const [workId, key] = [await review(), freshKey()];
      const first = await prepare(ada, [workId], key);
      assert.equal(first.status, 201, first.text);
      await sign(ada, first.json);
      const replay = await prepare(ada, [workId], key);
      assert.deepEqual([replay.status, replay.text], [201, first.text]);
      const other = await prepare(ada, [await review()], key);
      assert.deepEqual([other.status, codeOf(other)], [409, "idempotency_conflict"]);
    });

    test("a bad field is 400 with its name and changes nothing", async () => {
      const [workId, inBitcoin] = [await review(), await review(ada, 10_000, bitcoin)];
      const four = await Promise.all([0, 1, 2, 3].map(() => review()));
      const bad = [[], [workId, workId], ["wrk_none"], [workId, inBitcoin], four, "all", [7]];
      for (const workIds of bad) {
        const answer = await prepare(ada, workIds);
        assert.equal(answer.status, 400, JSON.stringify(workIds));
        assert.match(fieldsOf(answer)[0] ?? "", /^workIds/);
      }
      const payout = (await prepare(ada, [workId])).json;
      const other = await prepared();
      for (const text of ["", payout.unsigned, signPayout(other.unsigned)]) {
        const answer = await step(ada, payout, "signed", { signed: text });
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, ["signed"]], text);
      }
      const unexplained = await step(ada, payout, "cancel", {});
      assert.deepEqual([unexplained.status, fieldsOf(unexplained)], [400, ["reason"]]);
      assert.deepEqual(await read(payout), payout);
    });

    test("items that are not claimed, claimed by another operator, or of a chain without payouts are 409", async () => {
      const { workId } = await queueWithdrawal(service.core);
      assertConflict(await prepare(ada, [workId]), /is OPEN. Claim it first/);
      await post(bob, `work/${workId}/claim`);
      assertConflict(await prepare(ada, [workId]), new RegExp(`${bob.username} has claimed`));
      const inBitcoin = await review(ada, 10_000, bitcoin);
      assertConflict(await prepare(ada, [inBitcoin]), /No connected chain prepares payouts in BTC/);
    });

    test("a node that does not answer is 503 and leaves the key free", async () => {
      const [workId, key] = [await review(), freshKey()];
      network.isDown = true;
      const down = await prepare(ada, [workId], key);
      network.isDown = false;
      assert.deepEqual([down.status, codeOf(down)], [503, "settlement_unavailable"]);
      const payout = await prepare(ada, [workId], key);
      assert.equal(payout.status, 201);
      network.isDown = true;
      const unread = await sign(ada, payout.json);
      network.isDown = false;
      assert.deepEqual([unread.status, codeOf(unread)], [503, "settlement_unavailable"]);
      const { json } = await sign(ada, payout.json);
      network.isDown = true;
      const unsent = await step(ada, json, "broadcast");
      network.isDown = false;
      assert.deepEqual([unsent.status, codeOf(unsent)], [503, "settlement_unavailable"]);
      assert.deepEqual([await read(json), paymentsOf(json)], [json, 0]);
      assert.equal((await step(ada, json, "broadcast")).status, 200);
    });

    test("at the threshold the preparer's own broadcast is 403, and another operator's is 200", async () => {
      const small = await signed(ada, 499_999);
      assert.equal((await step(ada, small, "broadcast")).status, 200);
      const large = await signed(ada, 500_000);
      const own = await step(ada, large, "broadcast");
      assert.deepEqual([own.status, codeOf(own)], [403, "role_forbidden"]);
      assert.deepEqual([await read(large), paymentsOf(large)], [large, 0]);
      const { status, json } = await step(bob, large, "broadcast");
      assert.deepEqual([status, json.broadcastBy, paymentsOf(large)], [200, bob.username, 1]);
    });

    test("while a payout lives, its items are 409 by hand and in another payout, and cancelling frees them", async () => {
      const [workId, other] = [await review(), await review()];
      for (const isSigned of [false, true]) {
        await post(ada, `work/${workId}/claim`);
        const answer = await prepare(ada, [workId]);
        if (isSigned) await sign(ada, answer.json);
        const { id, transactionId } = answer.json;
        network.pay(`by-hand-${workId}`, { destination, amountUnits: 10n ** 21n });
        const byHand = { transactionId: `by-hand-${workId}` };
        const cancelFirst = new RegExp(`Payout ${id} pays this withdrawal. Cancel the payout`);
        assertConflict(await post(ada, `work/${workId}/complete`, byHand), cancelFirst);
        assertConflict(await post(ada, `work/${workId}/fail`, { reason }), cancelFirst);
        assertConflict(await prepare(ada, [other, workId]), new RegExp(`Payout ${id} pays`));
        const cancelled = await step(bob, { id }, "cancel", { reason });
        assert.equal(cancelled.status, 200, cancelled.text);
        assert.deepEqual([cancelled.json.state, cancelled.json.error], ["CANCELLED", reason]);
        assert.equal(paymentsOf({ transactionId }), 0);
        const { state, claimedBy } = await workOf(workId);
        assert.deepEqual([state, claimedBy], ["OPEN", null]);
      }
      await post(bob, `work/${workId}/claim`);
      const failed = await post(bob, `work/${workId}/fail`, { reason });
      assert.deepEqual([failed.status, failed.json.outcome], [200, "REJECTED"]);
    });

    test("a step that the state does not allow is 409", async () => {
      const payout = await prepared();
      assertConflict(await step(ada, payout, "broadcast"), /PREPARED. Upload the signed/);
      assertConflict(await step(ada, payout, "bump"), /PREPARED. Only a payout that was broadcast/);
      await sign(ada, payout);
      await step(ada, payout, "broadcast");
      assertConflict(await step(ada, payout, "cancel", { reason }), /BROADCAST. Only a payout/);
      const gone = await prepared();
      await step(ada, gone, "cancel", { reason });
      assertConflict(await sign(ada, gone), /CANCELLED. Nothing is left to sign/);
      assertConflict(await step(ada, gone, "broadcast"), /CANCELLED. It cannot be broadcast/);
      assertConflict(await step(ada, gone, "cancel", { reason }), /CANCELLED/);
    });

    test("an unsigned payout lapses after 30 minutes, and a signed one does not", async () => {
      const [unsigned, kept] = [await prepared(), await signed()];
      service.clock.advance(30 * minuteMs - 1);
      assert.equal((await follow()).lapsed, 0);
      service.clock.advance(1);
      assertConflict(await sign(ada, unsigned), /not signed in time/);
      assert.ok((await follow()).lapsed >= 1);
      assert.deepEqual(
        [(await read(unsigned)).state, (await read(kept)).state],
        ["CANCELLED", "SIGNED"],
      );
      assert.equal((await workOf(unsigned.withdrawals[0].workId)).state, "OPEN");
      assert.equal((await step(ada, kept, "broadcast")).status, 200);
    });

    test("a bump is 200 with a higher fee, and only the replacement is mined", async () => {
      const first = await signed();
      await step(ada, first, "broadcast");
      const bumped = await step(bob, first, "bump");
      const fee = "0.000000000000002000";
      assert.deepEqual([bumped.status, bumped.json.bumpFee], [200, fee], bumped.text);
      assert.equal((await sign(bob, bumped.json)).json.bumpSigned, true);
      const { status, json } = await step(bob, first, "broadcast");
      assert.deepEqual([status, json.state, json.fee], [200, "BROADCAST", fee]);
      assert.deepEqual([paymentsOf(first), paymentsOf(json)], [0, 1]);
      network.confirm(json.transactionId, 12);
      assert.equal((await follow()).confirmed, 1);
      const { state, transactionId } = await read(first);
      assert.deepEqual([state, transactionId], ["CONFIRMED", json.transactionId]);
    });

    test("coins that are spent elsewhere make a broadcast 409, and a payout that was sent FAILED", async () => {
      const refused = await signed();
      const sent = await signed();
      await step(ada, sent, "broadcast");
      for (const { unsigned } of [refused, sent]) network.spendElsewhere(unsigned, 12);
      assertConflict(
        await step(ada, refused, "broadcast"),
        /its coins are spent. Nothing was sent/,
      );
      assert.deepEqual(await read(refused), refused);
      assert.equal((await follow()).failed, 1);
      const { state, error } = await read(sent);
      assert.deepEqual([state, error?.includes("spent its coins")], ["FAILED", true]);
    });

    test("support may read payouts and change none, and an unknown payout is 404", async () => {
      const payout = await prepared();
      assert.equal((await support.send("GET", `${payouts}/${payout.id}`)).status, 200);
      const changes = [
        prepare(support, [await review()]),
        sign(support, payout),
        ...["broadcast", "bump"].map((verb) => step(support, payout, verb)),
        step(support, payout, "cancel", { reason }),
      ];
      for (const answer of await Promise.all(changes)) {
        assert.deepEqual([answer.status, codeOf(answer)], [403, "role_forbidden"]);
      }
      assert.deepEqual(await read(payout), payout);
      const none = { id: "pay_none", unsigned: "" };
      const unknown = [
        ada.send("GET", `${payouts}/pay_none`),
        sign(ada, none),
        ...["broadcast", "bump"].map((verb) => step(ada, none, verb)),
        step(ada, none, "cancel", { reason }),
      ];
      for (const answer of await Promise.all(unknown)) assert.equal(answer.status, 404);
    });

    test("every invariant holds afterwards", () => assertInvariants(service.core.db));
  });
});
