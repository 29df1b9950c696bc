import { limits } from "@ironlease/contract";
import { assignmentColumns, type AssignmentRecord } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import { operatorServerColumns, type OperatorServer } from "./operator-server.ts";

/** A server in any state, with what belongs to it. */
export interface InspectedServer {
  readonly server: OperatorServer;
  readonly account: AccountSummary;
  /** None once it has ended. */
  readonly assignments: readonly AssignmentRecord[];
  /** Null until the first message about it. */
  readonly threadId: string | null;
}

/** In four queries. */
export async function inspectServer(
  { db }: Core,
  serverId: string,
): Promise<Result<InspectedServer>> {
  const server = await db.read
    .selectFrom("servers")
    .select(operatorServerColumns)
    .where("id", "=", serverId)
    .executeTakeFirst();
  if (server === undefined) return refuse("not_found");
  const [account, assignments, thread] = await Promise.all([
    selectAccounts(db.read).where("accounts.id", "=", server.accountId).executeTakeFirstOrThrow(),
    db.read
      .selectFrom("assignments")
      .leftJoin("published_ptrs", "published_ptrs.address", "assignments.address")
      .select(assignmentColumns)
      .where("assignments.server_id", "=", serverId)
      .where("assignments.released_at", "is", null)
      .limit(limits.listLength)
      .execute(),
    db.read
      .selectFrom("threads")
      .select("id")
      .where("topic", "=", `server/${serverId}`)
      .executeTakeFirst(),
  ]);
  return ok({ server, account, assignments, threadId: thread?.id ?? null });
}
