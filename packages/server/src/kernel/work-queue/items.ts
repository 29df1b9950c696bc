import { sql, type RawBuilder } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { Schema, WorkKind } from "#ports/schema.ts";
import { preparedCommand } from "../sql/prepared.ts";
import type { Erase } from "../closed-account.ts";
import type { TxScope } from "../call.ts";

/**
 * An item is OPEN until an operator claims it for the length of a lease. Its holder releases
 * it, completes it (DONE) or fails it (FAILED). Cancelled items are FAILED without a holder. An item that waits for the
 * customer (`waiting-work.ts`) is stored as OPEN with `waiting_since`, so that it can be claimed like any other.
 */

/** Something that an operator must do. */
export interface WorkItem {
  readonly kind: WorkKind;
  readonly accountId: string;
  readonly orderId?: string;
  readonly serverId?: string;
  readonly actionId?: string;
  readonly withdrawalId?: string;
  readonly ddosRequestId?: string;
  /** What the operator needs to know to do it. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

const columns = [
  "id",
  "kind",
  "state",
  "created_at",
  "claimed_by",
  "lease_until",
  "account_id",
  "order_id",
  "server_id",
  "action_id",
  "withdrawal_id",
  "ddos_request_id",
  "detail",
  "approvals",
  "note",
  "outcome",
  "ended_at",
] as const;

type NewWork = Pick<Schema["work"], (typeof columns)[number]>;

/** The region follows from the server, so that no caller can name another one. */
const insertWork = preparedCommand(
  columns,
  (tx, row: Readonly<NewWork & Record<string, string | number | null>>) =>
    tx.insertInto("work").values((eb) => ({
      ...row,
      region_id: eb.selectFrom("servers").select("region_id").where("id", "=", row.server_id),
    })),
);

/** Queues work in the transaction of the request that causes it, so that no request is lost. */
export async function queueWork({ tx, core }: TxScope, items: readonly WorkItem[]): Promise<void> {
  for (const item of items) {
    await insertWork(tx, {
      id: core.ids.next("work"),
      kind: item.kind,
      state: "OPEN",
      created_at: core.clock.now(),
      claimed_by: null,
      lease_until: null,
      account_id: item.accountId,
      order_id: item.orderId ?? null,
      server_id: item.serverId ?? null,
      action_id: item.actionId ?? null,
      withdrawal_id: item.withdrawalId ?? null,
      ddos_request_id: item.ddosRequestId ?? null,
      detail: JSON.stringify(item.detail),
      approvals: "[]",
      note: null,
      outcome: null,
      ended_at: null,
    });
  }
}

/** Says who should do an item. False when it has ended. */
export async function assignItem(
  tx: Tx,
  workId: string,
  operatorId: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .set({ assigned_to: operatorId })
    .where("id", "=", workId)
    .where("state", "in", ["OPEN", "CLAIMED"])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** An item and the operator who claims or holds it. */
export interface Claim {
  readonly workId: string;
  readonly operatorId: string;
}

/**
 * The operator holds the item now. An expired lease does not count, even if no one else has claimed the item: its
 * holder may have been away for too long to know the item's state.
 */
export function isHeld({ operatorId }: Claim, now: number): RawBuilder<boolean> {
  return sql`state = 'CLAIMED' and claimed_by = ${operatorId} and lease_until > ${now}`;
}

/**
 * Claims an item for a full lease. The item must be open, have an expired lease, or be held by the same operator.
 * Undefined when another operator holds it or it has ended.
 */
export async function claimItem(
  { tx, core }: TxScope,
  { workId, operatorId }: Claim,
): Promise<{ readonly leaseUntil: number } | undefined> {
  const now = core.clock.now();
  const leaseUntil = now + core.rules.leaseMs;
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .set({ state: "CLAIMED", claimed_by: operatorId, lease_until: leaseUntil })
    .where("id", "=", workId)
    .where(
      sql<boolean>`(state = 'OPEN'
        or (state = 'CLAIMED' and (claimed_by = ${operatorId} or lease_until <= ${now})))`,
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { leaseUntil } : undefined;
}

/** Locks an item that the operator holds and returns its stored approvals. Undefined when they do not hold it. */
export async function lockHeldItem({ tx, core }: TxScope, claim: Claim) {
  return tx
    .selectFrom("work")
    .select(["approvals", "detail", "ticks"])
    .where("id", "=", claim.workId)
    .where(isHeld(claim, core.clock.now()))
    .forUpdate()
    .executeTakeFirst();
}

/** Reopens a held item for every operator, with the approvals given so far. False when it is not held. */
export async function releaseItem(
  { tx, core }: TxScope,
  claim: Claim,
  approvals?: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .where("id", "=", claim.workId)
    .where(isHeld(claim, core.clock.now()))
    .set({
      state: "OPEN",
      claimed_by: null,
      lease_until: null,
      ...(approvals !== undefined && { approvals }),
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface ItemEnd {
  readonly state: "DONE" | "FAILED";
  /** One word for the result, such as `PAID`. */
  readonly outcome: string;
  readonly note: string | null;
}

/** Ends a held item and keeps the operator's name on it. False when it is not held. */
export async function endItem(
  { tx, core }: TxScope,
  claim: Claim,
  { state, outcome, note }: ItemEnd,
): Promise<boolean> {
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .where("id", "=", claim.workId)
    .where(isHeld(claim, now))
    .set({ state, outcome, note, lease_until: null, ended_at: now, waiting_since: null })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Completes a reclaim whose row the transaction holds, in the name of the operator who decided about the machine. */
export async function completeReclaim(
  { tx, core }: TxScope,
  { workId, operatorId }: Claim,
  outcome: "WIPED" | "RETIRED",
): Promise<void> {
  await tx
    .updateTable("work")
    .set({
      state: "DONE",
      outcome,
      claimed_by: operatorId,
      lease_until: null,
      ended_at: core.clock.now(),
    })
    .where("id", "=", workId)
    .execute();
}

/** Replaces the detail of an item that the operator holds. */
export async function setDetail(
  { tx, core }: TxScope,
  claim: Claim,
  detail: WorkItem["detail"],
): Promise<void> {
  await tx
    .updateTable("work")
    .set({ detail: JSON.stringify(detail) })
    .where("id", "=", claim.workId)
    .where(isHeld(claim, core.clock.now()))
    .execute();
}

/** Replaces the ticked lines of an item whose row the transaction holds. */
export async function setTicks(tx: Tx, workId: string, ticks: string): Promise<void> {
  await tx.updateTable("work").set({ ticks }).where("id", "=", workId).execute();
}

/** Ends the review of a withdrawal that a payout pays, in the name of the operator who broadcast it. */
export async function endPaidReview(
  { tx, core }: TxScope,
  { workId, operatorId }: Claim,
  note: string,
): Promise<void> {
  await tx
    .updateTable("work")
    .set({
      state: "DONE",
      outcome: "PAID",
      note,
      claimed_by: operatorId,
      lease_until: null,
      ended_at: core.clock.now(),
    })
    .where("id", "=", workId)
    .where("state", "in", ["OPEN", "CLAIMED"])
    .execute();
}

/** Reopens the reviews of a cancelled payout for every operator. */
export async function reopenReviews(tx: Tx, workIds: readonly string[]): Promise<void> {
  await tx
    .updateTable("work")
    .set({ state: "OPEN", claimed_by: null, lease_until: null })
    .where("id", "in", workIds)
    .where("state", "=", "CLAIMED")
    .execute();
}

/** Replaces the approvals of an item whose row the transaction holds. */
export async function setApprovals(tx: Tx, workId: string, approvals: string): Promise<void> {
  await tx.updateTable("work").set({ approvals }).where("id", "=", workId).execute();
}

/** Reopens up to `limit` items whose lease has expired, and returns how many. */
export async function reopenLapsedWork(tx: Tx, now: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .set({ state: "OPEN", claimed_by: null, lease_until: null })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("work")
        .select("id")
        .where("state", "=", "CLAIMED")
        .where("lease_until", "<=", now)
        .limit(limit),
    )
    // Checked again: the holder may have renewed the lease after the ids were read.
    .where("lease_until", "<=", now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Erases keys and URLs in ended requests. Reviews of withdrawals stay, because they account for money. */
export const eraseWork: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("work")
    .set({ detail: "{}" })
    .where("account_id", "=", accountId)
    .where("kind", "in", ["PROVISION", "SERVER_ACTION", "DDOS"])
    .where("state", "in", ["DONE", "FAILED"])
    .execute();
};
