import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { selectPayouts, toRecords, type PayoutRecord } from "./payout-record.ts";

export interface PayoutFilter {
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

/** A page of payouts, newest first. */
export async function listPayouts(
  { db }: Core,
  { after }: PayoutFilter,
): Promise<readonly PayoutRecord[]> {
  let query = selectPayouts(db.read).orderBy("payouts.id", "desc").limit(limits.listLength);
  if (after !== undefined) query = query.where("payouts.id", "<", after);
  return toRecords(db.read, await query.execute());
}

/** How long a failed payout stays an alarm. */
const failedMs = 30 * 24 * 3_600_000;

/** Payouts that need a person: they failed, or the node refuses them. */
export async function listTroubledPayouts({ db, clock }: Core): Promise<readonly PayoutRecord[]> {
  const failed = await selectPayouts(db.read)
    // A literal, because a parameter would not select the partial index.
    .where(sql<boolean>`payouts.state = 'FAILED'`)
    .where("payouts.ended_at", ">", clock.now() - failedMs)
    .orderBy("payouts.ended_at", "desc")
    .limit(limits.listLength)
    .execute();
  const refused = await selectPayouts(db.read)
    .where(sql<boolean>`payouts.state = 'BROADCAST' and payouts.error is not null`)
    .orderBy("payouts.id", "desc")
    .limit(limits.listLength)
    .execute();
  return toRecords(db.read, [...failed, ...refused]);
}
