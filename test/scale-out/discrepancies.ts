import type { Db } from "#server/ports/db.ts";
import type { CallLog, KeyedOperation } from "./call-log.ts";

/** Tables in which each write adds one row. */
const tables = {
  placeOrder: "orders",
  requestWithdrawal: "withdrawals",
  requestAction: "actions",
} as const;

/** Compares the writes that callers saw acknowledged with the database. */
export async function findDiscrepancies(
  db: Db,
  callLog: CallLog,
  accountIds: readonly string[],
  ordersBefore: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [operation, keys] of Object.entries(callLog.acknowledged) as [
    KeyedOperation,
    Set<string>,
  ][]) {
    const rows = await db.read
      .selectFrom("idempotency_keys")
      .select(["key", "owner_id as ownerId"])
      .where("operation", "=", operation)
      .where("owner_id", "in", accountIds)
      .execute();
    const stored = new Set(rows.map(({ key }) => key));
    const lost = [...keys].filter((key) => !stored.has(key)).length;
    const unacknowledged = rows.filter(({ key }) => !keys.has(key)).length;
    if (lost > 0) problems.push(`${operation}: ${lost} acknowledged writes are missing`);
    if (unacknowledged > 0)
      problems.push(`${operation}: ${unacknowledged} writes happened without being acknowledged`);
    if (operation === "createDepositAddress") continue;
    const { count } = await db.read
      .selectFrom(tables[operation])
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const added = count - (operation === "placeOrder" ? ordersBefore : 0);
    if (added !== keys.size)
      problems.push(`${operation}: ${added} rows for ${keys.size} acknowledged writes`);
  }
  const done = await db.read.selectFrom("work").select("id").where("state", "=", "DONE").execute();
  const doneIds = new Set(done.map(({ id }) => id));
  const notDone = [...callLog.completed].filter((id) => !doneIds.has(id)).length;
  if (notDone > 0)
    problems.push(`${notDone} work items are not DONE although their completion was acknowledged`);
  return problems;
}
