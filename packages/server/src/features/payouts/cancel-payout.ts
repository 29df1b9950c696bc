import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import { audit } from "#kernel/audit.ts";
import { systemCall, type OperatorCall, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { unassignFromPayout } from "#kernel/withdrawals.ts";
import { reopenReviews } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
import { readPayout, refuseState, refuseUnknown, type PayoutRecord } from "./payout-record.ts";
import { lockPayout, type PayoutRow } from "./payout-transactions.ts";

/** Cancels a payout of which nothing has been sent. Its pins are free and its work items open again. */
export function cancelPayout(
  core: Core,
  call: OperatorCall,
  { payoutId, reason }: { readonly payoutId: string; readonly reason: string },
): Promise<Result<PayoutRecord>> {
  return core.db.write(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return refuseUnknown();
    if (payout.state !== "PREPARED" && payout.state !== "SIGNED") {
      return refuseState(payout.state, "Only a payout that was not broadcast can be cancelled.");
    }
    await cancel({ tx, core, call }, payout, "payout.cancel", reason);
    return readPayout(tx, payoutId);
  });
}

/** Cancels the chain's unsigned payouts whose time is over. */
export async function lapsePayouts(core: Core, network: string): Promise<number> {
  const now = core.clock.now();
  const lapsed = await core.db.read
    .selectFrom("payouts")
    .select("id")
    .where("network", "=", network)
    .where(sql<boolean>`state in ('PREPARED', 'SIGNED', 'BROADCAST')`)
    .where("state", "=", "PREPARED")
    .where("expires_at", "<=", now)
    .limit(limits.listLength)
    .execute();
  for (const { id } of lapsed) {
    await core.db.write(async (tx) => {
      const payout = await lockPayout(tx, id);
      if (payout === undefined || !hasLapsed(payout, now)) return ok();
      const reason = "It was not signed in time.";
      await cancel({ tx, core, call: systemCall }, payout, "payout.lapse", reason);
      return ok();
    });
  }
  return lapsed.length;
}

export function hasLapsed({ state, expires_at: until }: PayoutRow, now: number): boolean {
  return state === "PREPARED" && until <= now;
}

async function cancel(
  step: Step,
  { id }: PayoutRow,
  action: "payout.cancel" | "payout.lapse",
  reason: string,
): Promise<void> {
  const { tx, core } = step;
  const paid = await tx
    .selectFrom("payout_withdrawals")
    .select(["withdrawal_id", "work_id"])
    .where("payout_id", "=", id)
    .orderBy("work_id")
    .execute();
  await reopenReviews(
    tx,
    paid.map(({ work_id: workId }) => workId),
  );
  await unassignFromPayout(
    tx,
    id,
    paid.map(({ withdrawal_id: withdrawalId }) => withdrawalId),
  );
  await tx.deleteFrom("payout_pins").where("payout_id", "=", id).execute();
  await tx
    .updateTable("payouts")
    .set({ state: "CANCELLED", ended_at: core.clock.now(), error: reason })
    .where("id", "=", id)
    .execute();
  await audit(step, action, id, { reason });
}
