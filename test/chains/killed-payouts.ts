import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cancelPayout } from "#server/features/payouts/cancel-payout.ts";
import { preparePayout } from "#server/features/payouts/prepare-payout.ts";
import type { Engine } from "#server/ports/db.ts";
import { balanceOf } from "#test/desk.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import { confirmationsNeeded } from "./deposit-bed.ts";
import type { CrashPoint, PayoutStep } from "./crashing-payout.ts";
import { openPayoutBed, type PayoutBed } from "./payout-bed.ts";
import type { PayoutKind } from "./payout-kind.ts";
import { runUntilKilled } from "./run-until-killed.ts";

const crashingPayout = fileURLToPath(new URL("crashing-payout.ts", import.meta.url));

/** Runs a step in a process that is killed, always with the same idempotency key. */
function killer({ core, ada, connection, location, payoutKind }: PayoutBed, engine: Engine) {
  const call = { ...ada, intent: intentOf("preparePayout") };
  const where = { chain: payoutKind.kind.name, engine, location, connection };
  const killAt = async (crash: CrashPoint, step: PayoutStep) => {
    const options = { ...where, at: core.clock.now(), call, step, crash };
    assert.equal(await runUntilKilled(crashingPayout, options), "SIGKILL");
  };
  return { call, killAt };
}

/** A payment is made once, wherever kill -9 ends the process that broadcasts it. */
export function killedBroadcasts(payoutKind: PayoutKind, engine: Engine): void {
  test("kill -9 before or after the bytes are sent ends in one payment", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada } = bed;
    const { killAt } = killer(bed, engine);
    const accountId = await bed.funded("2");
    const review = await bed.review(accountId, 40);
    const signed = await bed.sign(await bed.prepare(ada, review));
    const broadcast = { kind: "broadcast", payoutId: signed.id } as const;
    await killAt("before it commits", broadcast);
    assert.equal((await bed.read(signed)).state, "SIGNED");
    assert.equal((await balanceOf(core, accountId)).held, 4_000);

    await killAt("before the bytes are sent", broadcast);
    assert.equal((await bed.read(signed)).state, "BROADCAST");
    assert.equal((await balanceOf(core, accountId)).held, 0);
    // The next pass sends the stored bytes.
    await bed.follow();
    await bed.mineAndFollow();
    assert.equal((await bed.read(signed)).state, "CONFIRMED");

    const second = await bed.review(accountId, 10);
    const other = await bed.sign(await bed.prepare(ada, second));
    await killAt("after", { kind: "broadcast", payoutId: other.id });
    // The operator tries again: the same bytes.
    assert.equal((await bed.broadcast(other, ada)).error, null);
    await bed.mineAndFollow();
    assert.equal((await bed.read(other)).state, "CONFIRMED");
    const received = [review, second].map(({ destination }) =>
      payoutKind.received(bed.network, destination),
    );
    assert.deepEqual(await Promise.all(received), [bed.amountOf(40), bed.amountOf(10)]);
  });
}

/** The steps that send nothing are one transaction each, so one chain shows it for all. */
export function killedSteps(payoutKind: PayoutKind, engine: Engine): void {
  test("kill -9 in any other step leaves the payout as it was, and the step can be repeated", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada, network } = bed;
    const { call, killAt } = killer(bed, engine);
    const before = (step: PayoutStep) => killAt("before it commits", step);
    const { workId, accountId } = await bed.review(await bed.funded("1"), 40);

    await before({ kind: "prepare", workIds: [workId] });
    const prepare = () => valueOf(preparePayout(core, call, [workId], (record) => record));
    const { body: prepared } = await prepare();
    assert.equal((await prepare()).body.id, prepared.id);

    const payoutId = prepared.id;
    await before({ kind: "cancel", payoutId });
    assert.equal((await bed.read(prepared)).state, "PREPARED");
    await before({ kind: "sign", payoutId, signed: await payoutKind.sign(prepared.unsigned) });
    assert.equal((await bed.read(prepared)).state, "PREPARED");
    await bed.sign(prepared);

    await bed.broadcast(prepared, ada);
    await network.mine(confirmationsNeeded);
    await bed.pass();
    await before({ kind: "follow" });
    assert.equal((await bed.read(prepared)).state, "BROADCAST");
    assert.deepEqual(await bed.follow(), { lapsed: 0, confirmed: 1, failed: 0 });
    assert.deepEqual(await balanceOf(core, accountId), { available: 6_000, held: 0 });

    const other = await bed.prepare(ada, await bed.review(accountId, 10));
    await before({ kind: "cancel", payoutId: other.id });
    const reason = "The destination was wrong.";
    const cancelled = await valueOf(cancelPayout(core, ada, { payoutId: other.id, reason }));
    assert.equal(cancelled.state, "CANCELLED");
  });
}
