import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { bumpPayout } from "#server/features/payouts/bump-payout.ts";
import { listTroubledPayouts } from "#server/features/payouts/list-payouts.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { refuse } from "#server/kernel/result.ts";
import type { Engine } from "#server/ports/db.ts";
import { balanceOf } from "#test/desk.ts";
import { valueOf } from "#test/use-cases.ts";
import { openPayoutBed } from "./payout-bed.ts";
import type { PayoutKind } from "./payout-kind.ts";

/** Changes that the service never makes. Invariant 10 must find each. */
const tamperings: Readonly<Record<string, string>> = {
  "an amount": "update payout_withdrawals set cents = cents + 1",
  "a destination": "update payout_withdrawals set destination = 'elsewhere'",
  "a pin": "delete from payout_pins",
  "a payer": "update paying_transactions set payer_id = 'another'",
  "a withdrawal": "update withdrawals set payout_id = null",
};

/** Guarantees of payouts that something disturbs. */
export function disturbedPayouts(payoutKind: PayoutKind, engine: Engine): void {
  const { canReplace } = payoutKind.kind;
  test("a payout with a raised fee is paid once", { skip: !canReplace }, async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const accountId = await bed.funded("1");
    const review = await bed.review(accountId, 40);
    const sent = await bed.broadcast(await bed.sign(await bed.prepare(ada, review)), ada);
    const bumped = await valueOf(bumpPayout(core, ada, sent.id));
    assert.ok(Number(bumped.bump?.fee) > Number(sent.fee));
    assert.deepEqual((await valueOf(bumpPayout(core, ada, sent.id))).bump, bumped.bump);
    const resent = await bed.broadcast(await bed.sign(bumped), ada);
    assert.deepEqual([resent.state, resent.error, resent.bump], ["BROADCAST", null, null]);
    await bed.mineAndFollow();
    const { state, transactionId, fee } = await bed.read(sent);
    assert.equal(state, "CONFIRMED");
    const raised = Number(bumped.bump?.fee);
    assert.ok(payoutKind.isFeeExact ? Number(fee) === raised : Number(fee) < raised);
    assert.equal(await payoutKind.received(bed.network, review.destination), bed.amountOf(40));
    const { transaction_id: recorded } = await core.db.read
      .selectFrom("withdrawals")
      .select("transaction_id")
      .executeTakeFirstOrThrow();
    assert.equal(recorded, transactionId);
  });

  test("replaced outside, a payout fails with the evidence, and no money moves by itself", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const accountId = await bed.funded("1");
    const review = await bed.review(accountId, 40);
    const sent = await bed.broadcast(await bed.sign(await bed.prepare(ada, review)), ada);
    const replacement = await payoutKind.spendElsewhere(bed.network, sent.unsigned);
    await bed.follow();
    // One block could still be replaced.
    assert.equal((await bed.read(sent)).state, "BROADCAST");
    await bed.network.mine(1);
    assert.equal((await bed.follow()).failed, 1);
    const { state, error } = await bed.read(sent);
    assert.equal(state, "FAILED");
    assert.match(error ?? "", new RegExp(replacement));
    const troubled = await listTroubledPayouts(core);
    assert.deepEqual(
      troubled.map(({ id }) => id),
      [sent.id],
    );
    assert.deepEqual(await balanceOf(core, accountId), { available: 6_000, held: 0 });
    assert.equal(await payoutKind.received(bed.network, review.destination), bed.amountOf(0));
  });

  test("verify finds a payout that does not pay its withdrawals exactly", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { db } = bed.core;
    const accountId = await bed.funded("1");
    const sign = async () => bed.sign(await bed.prepare(bed.ada, await bed.review(accountId, 40)));
    await bed.broadcast(await sign(), bed.ada);
    for (const [what, statement] of Object.entries(tamperings)) {
      let found: Awaited<ReturnType<typeof verifyInvariants>> = [];
      await db.write(async (tx) => {
        await sql.raw(statement).execute(tx);
        found = await verifyInvariants({ ...db, read: tx });
        return refuse("conflict");
      });
      const finding = found.find(({ number }) => number === 10);
      assert.notDeepEqual(finding?.offenders, [], what);
    }
  });
}
