import { requireRole } from "#kernel/access/operator.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Item } from "#kernel/work-effects.ts";
import type { Tx } from "#ports/db.ts";
import { preparedOne } from "#kernel/sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { OperatorRole, WorkKind } from "#ports/schema.ts";
import type { Asset } from "#ports/settlement.ts";
import { refuseUnknown } from "./work-record.ts";

/** The lowest role that may do each kind of work. */
const roles: Readonly<Record<WorkKind, OperatorRole>> = {
  PROVISION: "support",
  SERVER_ACTION: "support",
  WITHDRAWAL: "finance",
  DDOS: "support",
  RECLAIM: "support",
};

export function roleFor(kind: WorkKind): OperatorRole {
  return roles[kind];
}

const findRow = preparedOne(["workId"], (db, { workId }: { workId: string }) =>
  db
    .selectFrom("work")
    .leftJoin("withdrawals", "withdrawals.id", "work.withdrawal_id")
    .leftJoin("ddos_requests", "ddos_requests.id", "work.ddos_request_id")
    .leftJoin("actions", "actions.id", "work.action_id")
    .leftJoin("servers", "servers.id", "work.server_id")
    .select([
      "work.id",
      "work.kind",
      "work.account_id as accountId",
      "work.server_id as serverId",
      "servers.machine_id as machineId",
      "work.withdrawal_id as withdrawalId",
      "work.ddos_request_id as ddosRequestId",
      "withdrawals.cents",
      "withdrawals.asset",
      "withdrawals.destination",
      "ddos_requests.mode as ddosMode",
      "actions.action",
    ])
    .where("work.id", "=", workId),
);

/** Finds an item that the operator's role covers. */
export async function findItem(tx: Tx, call: OperatorCall, workId: string): Promise<Result<Item>> {
  const row = await findRow(tx, { workId });
  if (row === undefined) return refuseUnknown();
  const permitted = requireRole(call.operator, roles[row.kind]);
  if (!permitted.ok) return permitted;
  const { withdrawalId, ...item } = row;
  const subjectId = withdrawalId ?? item.serverId;
  if (subjectId === null) throw new Error(`the work ${workId} has no subject`);
  return ok({ ...item, asset: item.asset as Asset | null, subjectId });
}
