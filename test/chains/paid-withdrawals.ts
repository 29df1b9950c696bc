import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptSigned } from "#server/features/payouts/accept-signed.ts";
import { broadcastPayout } from "#server/features/payouts/broadcast-payout.ts";
import { cancelPayout } from "#server/features/payouts/cancel-payout.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import { balanceOf, messageOf } from "#test/desk.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { failWork, readWork } from "#test/work.ts";
import { openPayoutBed, prepare } from "./payout-bed.ts";
import type { PayoutKind } from "./payout-kind.ts";

export function houseEntriesOf(core: Core, referenceId: string) {
  return core.db.read
    .selectFrom("house_entries")
    .select(["cause", "amount_units as units", "amount_cents as cents"])
    .where("reference_id", "=", referenceId)
    .orderBy("cause")
    .execute();
}

/** Guarantees of payouts that nothing disturbs. */
export function paidWithdrawals(payoutKind: PayoutKind, engine: Engine): void {
  test("prepared, signed, broadcast and confirmed: the customers are paid once, and the house pays the fee", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const accountId = await bed.funded("1");
    const reviews = [await bed.review(accountId, 20)];
    if (payoutKind.batches) reviews.push(await bed.review(accountId, 30));
    const prepared = await bed.prepare(ada, ...reviews);
    assert.deepEqual(
      [prepared.state, prepared.rate, prepared.confirmations],
      ["PREPARED", payoutKind.kind.rate, 0],
    );
    assert.deepEqual(
      prepared.withdrawals.map(({ withdrawalId, amount }) => [withdrawalId, amount]),
      reviews.map(({ withdrawalId }, index) => [withdrawalId, bed.amountOf([20, 30][index] ?? 0)]),
    );
    const signed = await bed.sign(prepared);
    assert.equal(signed.state, "SIGNED");
    const cents = payoutKind.batches ? 5_000 : 2_000;
    assert.equal((await balanceOf(core, accountId)).held, cents);

    const sent = await bed.broadcast(signed, ada);
    assert.deepEqual([sent.state, sent.error], ["BROADCAST", null]);
    assert.equal((await balanceOf(core, accountId)).held, 0);
    for (const { workId } of reviews) {
      const { state, outcome } = await valueOf(readWork(core, workId));
      assert.deepEqual([state, outcome], ["DONE", "PAID"]);
    }
    await bed.mineAndFollow(1);
    assert.deepEqual(
      [(await bed.read(sent)).state, (await bed.read(sent)).confirmations],
      ["BROADCAST", 1],
    );
    await bed.mineAndFollow(1);
    const { state, transactionId, fee } = await bed.read(sent);
    assert.equal(state, "CONFIRMED");
    const received = await payoutKind.received(bed.network, reviews[0]!.destination);
    assert.equal(received, bed.amountOf(20));
    const [coins, paidFee] = await houseEntriesOf(core, sent.id);
    assert.deepEqual([coins?.cause, coins?.cents], [`payout/${sent.id}/coins`, cents]);
    assert.equal(paidFee?.cause, `payout/${sent.id}/fee`);
    assert.equal(BigInt(paidFee?.units ?? 0), BigInt(fee.replace(".", "")));
    const rows = await core.db.read.selectFrom("withdrawals").selectAll().execute();
    assert.ok(rows.every((row) => row.status === "PAID" && row.transaction_id === transactionId));
    assert.deepEqual(await bed.follow(), { lapsed: 0, confirmed: 0, failed: 0 });

    const again = await bed.review(accountId, 10);
    const next = await bed.broadcast(await bed.sign(await bed.prepare(ada, again)), ada);
    await bed.mineAndFollow();
    assert.equal((await bed.read(next)).state, "CONFIRMED");
  });

  test("a signed transaction that changes an amount, a destination or a pin is refused and nothing is sent", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const accountId = await bed.funded("1");
    const payout = await bed.prepare(ada, await bed.review(accountId, 40));
    const foreign = await bed.network.foreignAddress();
    const tampered = await payoutKind.tampered(payout.unsigned, foreign);
    for (const [what, signed] of Object.entries(tampered)) {
      const refused = acceptSigned(core, ada, { payoutId: payout.id, signed });
      assert.equal(await codeOf(refused), "validation_failed", what);
      assert.equal((await fieldsOf(refused))?.[0]?.field, "signed", what);
    }
    assert.equal((await bed.read(payout)).state, "PREPARED");
    assert.equal(await codeOf(broadcastPayout(core, ada, payout.id)), "conflict");
    await bed.network.mine(1);
    assert.equal(await payoutKind.received(bed.network, foreign), bed.amountOf(0));
  });

  test("two operators who prepare at once share no coin and no withdrawal", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada, bob } = bed;
    const other = await bed.startInstance();
    const accountId = await bed.funded("1");
    await bed.funded("1");
    const [one, two] = [await bed.review(accountId, 40), await bed.review(accountId, 50, bob)];
    const both = await Promise.all([prepare(core, ada, [one]), prepare(other, bob, [two])]);
    assert.equal(both.filter(({ ok }) => ok).length, payoutKind.pinsCoins ? 2 : 1);
    const pins = await core.db.read.selectFrom("payout_pins").select("pin").execute();
    assert.equal(new Set(pins.map(({ pin }) => pin)).size, pins.length);

    const third = await bed.review(accountId, 5);
    await Promise.all([prepare(core, ada, [third]), prepare(other, ada, [third])]);
    const living = await core.db.read
      .selectFrom("payout_withdrawals")
      .select("payout_id")
      .where("withdrawal_id", "=", third.withdrawalId)
      .execute();
    assert.ok(living.length <= 1);
  });

  test("without enough coins the refusal says how much is missing and where", async (t) => {
    if (!payoutKind.pinsCoins) {
      t.skip("the wallet has coins of other tests");
      return;
    }
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const accountId = await bed.funded("1");
    await payoutKind.fund(bed.network, 60);
    const first = await bed.prepare(ada, await bed.review(accountId, 60));
    const second = prepare(core, ada, [await bed.review(accountId, 30)]);
    assert.equal(await codeOf(second), "conflict");
    const lacks = `${bed.chain.network} lacks ${Number(bed.amountOf(30))}`;
    assert.ok((await messageOf(second)).startsWith(lacks), await messageOf(second));
    assert.equal((await bed.read(first)).state, "PREPARED");
  });

  test("cancelled or lapsed, a payout frees its coins and items, and until then nothing else resolves them", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada, bob } = bed;
    const accountId = await bed.funded("1");
    const review = await bed.review(accountId, 40);
    const payout = await bed.prepare(ada, review);
    const rejected = failWork(core, ada, review.workId, { reason: "No." });
    assert.match(await messageOf(rejected), /Cancel the payout first/);
    const cancelled = await valueOf(
      cancelPayout(core, bob, { payoutId: payout.id, reason: "Wrong wallet." }),
    );
    assert.deepEqual([cancelled.state, cancelled.error], ["CANCELLED", "Wrong wallet."]);
    assert.equal((await valueOf(readWork(core, review.workId))).state, "OPEN");

    const again = await bed.review(accountId, 30);
    const lapsing = await bed.prepare(ada, again);
    bed.advanceClock(30 * 60_000);
    const late = acceptSigned(core, ada, {
      payoutId: lapsing.id,
      signed: await payoutKind.sign(lapsing.unsigned),
    });
    assert.equal(await codeOf(late), "conflict");
    assert.equal((await bed.follow()).lapsed, 1);
    assert.equal((await bed.read(lapsing)).state, "CANCELLED");
    assert.deepEqual(await core.db.read.selectFrom("payout_pins").selectAll().execute(), []);
    assert.equal((await balanceOf(core, accountId)).held, 7_000);
  });

  test("at the threshold or above, the operator who prepared it cannot broadcast it", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { ada, bob } = bed;
    const core = { ...bed.core, rules: { ...bed.core.rules, twoOperatorsFromCents: 4_000 } };
    const accountId = await bed.funded("1");
    const signed = await bed.sign(await bed.prepare(ada, await bed.review(accountId, 40)), bob);
    assert.equal(await codeOf(broadcastPayout(core, ada, signed.id)), "role_forbidden");
    assert.equal((await balanceOf(core, accountId)).held, 4_000);
    assert.equal((await valueOf(broadcastPayout(core, bob, signed.id))).state, "BROADCAST");
    const refused = cancelPayout(core, bob, { payoutId: signed.id, reason: "Too late." });
    assert.equal(await codeOf(refused), "conflict");
    await bed.mineAndFollow();
  });
}
