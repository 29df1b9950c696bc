import { assignmentColumns, type AssignmentRecord } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";

/** Five per server, for as many servers as a list can have. */
const maxAssignments = 5_000;

const selectAssignments = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("assignments")
    .innerJoin("servers", "servers.id", "assignments.server_id")
    .leftJoin("published_ptrs", "published_ptrs.address", "assignments.address")
    .select(assignmentColumns)
    .where("assignments.account_id", "=", accountId)
    .where("assignments.released_at", "is", null)
    .where("servers.account_id", "=", accountId)
    .where("servers.state", "<>", "TERMINATED")
    .orderBy("assignments.created_at")
    .orderBy("assignments.id")
    .limit(maxAssignments),
);

/** The addresses of the account's current servers, in the order they were assigned. */
export async function listAssignments(
  core: Core,
  accountId: string,
): Promise<readonly AssignmentRecord[]> {
  return selectAssignments(core.db.read, { accountId });
}
