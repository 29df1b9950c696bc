import type { Kysely } from "kysely";
import { readApprovals, type Approval } from "#kernel/approvals.ts";
import { readTicks, type Tick } from "#kernel/checklists.ts";
import type { Core } from "#kernel/core.ts";
import type { WorkItem } from "#kernel/work-queue/items.ts";
import { preparedOne } from "#kernel/sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { refuse } from "#kernel/result.ts";
import type { ChecklistLine } from "./read-checklist.ts";
import type { Delivery } from "./read-delivery.ts";
import type { WithdrawalReview } from "./review-withdrawal.ts";
import type { Schema, WorkKind, WorkState } from "#ports/schema.ts";

/** WAITING is an item that waits for the customer and that no operator holds. */
export type ShownState = WorkState | "WAITING";

/** A work item as operators see it. */
export interface WorkRecord {
  readonly id: string;
  readonly kind: WorkKind;
  readonly state: ShownState;
  readonly createdAt: number;
  /** The operator who holds or ended it. */
  readonly claimedBy: string | null;
  readonly leaseUntil: number | null;
  readonly accountId: string;
  /** The customer's username. */
  readonly username: string;
  readonly orderId: string | null;
  readonly serverId: string | null;
  readonly actionId: string | null;
  readonly withdrawalId: string | null;
  /** The payout that pays the withdrawal. */
  readonly payoutId: string | null;
  /** The tag on the machine. */
  readonly assetTag: string | null;
  /** Of the server. */
  readonly regionId: string | null;
  /** The operator who should do it. */
  readonly assignedTo: string | null;
  /** When it should be done. Null when it has ended or waits for the customer. */
  readonly dueAt: number | null;
  readonly detail: WorkItem["detail"];
  readonly approvals: readonly Approval[];
  readonly note: string | null;
  readonly outcome: string | null;
  readonly endedAt: number | null;
  /** Since when it waits for the customer. */
  readonly waitingSince: number | null;
  readonly ticks: readonly Tick[];
  /** Only of an item that was read alone. */
  readonly checklist?: readonly ChecklistLine[];
  /** Only of a PROVISION item that was read alone. */
  readonly delivery?: Delivery;
  /** Only of a WITHDRAWAL item that was read alone. */
  readonly review?: WithdrawalReview;
}

/** Selects the columns of a record. The caller adds the conditions. */
export function selectWork(db: Kysely<Schema>) {
  return db
    .selectFrom("work")
    .innerJoin("accounts", "accounts.id", "work.account_id")
    .leftJoin("servers", "servers.id", "work.server_id")
    .leftJoin("machines", "machines.id", "servers.machine_id")
    .leftJoin("operators", "operators.id", "work.claimed_by")
    .leftJoin("operators as assignees", "assignees.id", "work.assigned_to")
    .leftJoin("withdrawals", "withdrawals.id", "work.withdrawal_id")
    .select([
      "work.id",
      "work.kind",
      "work.state",
      "work.created_at as createdAt",
      "operators.username as claimedBy",
      "work.lease_until as leaseUntil",
      "work.account_id as accountId",
      "accounts.username",
      "work.order_id as orderId",
      "work.server_id as serverId",
      "work.action_id as actionId",
      "work.withdrawal_id as withdrawalId",
      "withdrawals.payout_id as payoutId",
      "machines.asset_tag as assetTag",
      "work.detail",
      "work.approvals",
      "work.note",
      "work.outcome",
      "work.ended_at as endedAt",
      "work.waiting_since as waitingSince",
      "work.ticks",
      "work.region_id as regionId",
      "assignees.username as assignedTo",
    ]);
}

export const findWork = preparedOne(["workId"], (db, { workId }: { workId: string }) =>
  selectWork(db).where("work.id", "=", workId),
);

type WorkRow = Awaited<ReturnType<ReturnType<typeof selectWork>["executeTakeFirstOrThrow"]>>;

/** An expired claim belongs to no one: it shows as OPEN or WAITING even before the sweep. */
export function toRecord(core: Core, row: WorkRow): WorkRecord {
  const hasLapsed = row.state === "CLAIMED" && (row.leaseUntil ?? 0) <= core.clock.now();
  const isFree = hasLapsed || row.state === "OPEN";
  const freeState = row.waitingSince === null ? "OPEN" : "WAITING";
  const state = isFree ? freeState : row.state;
  const isDue = state === "OPEN" || state === "CLAIMED";
  return {
    ...row,
    ...(isFree && { claimedBy: null, leaseUntil: null }),
    state,
    dueAt: isDue ? row.createdAt + core.rules.workTargetsMs[row.kind] : null,
    detail: JSON.parse(row.detail) as WorkItem["detail"],
    approvals: readApprovals(row.approvals),
    ticks: readTicks(row.ticks),
  };
}

export function refuseUnknown(): Result<never> {
  return refuse("not_found", { message: "Work item not found. Check the id." });
}
