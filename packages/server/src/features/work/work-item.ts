import { readApprovals, type Approval } from "#kernel/approvals.ts";
import type { Core } from "#kernel/core.ts";
import { requireRole, type OperatorCall } from "#kernel/access/operator.ts";
import type { Tx } from "#ports/db.ts";
import { preparedOne } from "#kernel/sql/prepared.ts";
import { ok, type Result } from "#ports/result.ts";
import type { DdosMode, OperatorRole, WorkKind } from "#ports/schema.ts";
import { refuseUnknown } from "./work-record.ts";

/** What never changes about an item, and is read before anything is locked. */
export interface Item {
  readonly id: string;
  readonly kind: WorkKind;
  readonly accountId: string;
  readonly serverId: string | null;
  /** The withdrawal, or else the server that it is about. */
  readonly subjectId: string;
  /** Of a withdrawal. */
  readonly cents: number | null;
  /** That was asked for. */
  readonly ddosMode: DdosMode | null;
}

/** One step of an operator on one item, in the transaction of that step. */
export interface Job {
  readonly tx: Tx;
  readonly core: Core;
  readonly call: OperatorCall;
  readonly item: Item;
}

/** The least role that may do each kind of work. */
const roles: Readonly<Record<WorkKind, OperatorRole>> = {
  PROVISION: "support",
  SERVER_ACTION: "support",
  WITHDRAWAL: "finance",
  DDOS: "support",
  RECLAIM: "support",
};

const findRow = preparedOne(["workId"], (db, { workId }: { workId: string }) =>
  db
    .selectFrom("work")
    .leftJoin("withdrawals", "withdrawals.id", "work.withdrawal_id")
    .leftJoin("ddos_requests", "ddos_requests.id", "work.ddos_request_id")
    .select([
      "work.id",
      "work.kind",
      "work.account_id as accountId",
      "work.server_id as serverId",
      "work.withdrawal_id as withdrawalId",
      "withdrawals.cents",
      "ddos_requests.mode as ddosMode",
    ])
    .where("work.id", "=", workId),
);

/** The item, for somebody whose role it fits. */
export async function findItem(tx: Tx, call: OperatorCall, workId: string): Promise<Result<Item>> {
  const row = await findRow(tx, { workId });
  if (row === undefined) return refuseUnknown();
  const permitted = requireRole(call.operator, roles[row.kind]);
  if (!permitted.ok) return permitted;
  const { withdrawalId, ...item } = row;
  const subjectId = withdrawalId ?? item.serverId;
  if (subjectId === null) throw new Error(`the work ${workId} is about nothing`);
  return ok({ ...item, subjectId });
}

/** Who has approved an item so far, without waiting for whoever is busy with it. */
export async function approvalsOf({ tx, item }: Job): Promise<readonly Approval[]> {
  const row = await tx
    .selectFrom("work")
    .select("approvals")
    .where("id", "=", item.id)
    .executeTakeFirstOrThrow();
  return readApprovals(row.approvals);
}
