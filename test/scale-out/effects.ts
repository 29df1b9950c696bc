import type { Db } from "#server/ports/db.ts";
import type { Book, Keyed } from "./book.ts";

/** Where the effects of each keyed write are rows of their own. */
const tables = {
  placeOrder: "orders",
  requestWithdrawal: "withdrawals",
  requestAction: "actions",
} as const;

/** What differs between what callers were told and what has happened. */
export async function differences(
  db: Db,
  book: Book,
  accountIds: readonly string[],
  ordersBefore: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [operation, keys] of Object.entries(book.acknowledged) as [Keyed, Set<string>][]) {
    const rows = await db.read
      .selectFrom("idempotency_keys")
      .select(["key", "owner_id as ownerId"])
      .where("operation", "=", operation)
      .where("owner_id", "in", accountIds)
      .execute();
    const there = new Set(rows.map(({ key }) => key));
    const lost = [...keys].filter((key) => !there.has(key)).length;
    const untold = rows.filter(({ key }) => !keys.has(key)).length;
    if (lost > 0) problems.push(`${operation}: ${lost} were acknowledged and have not happened`);
    if (untold > 0) problems.push(`${operation}: ${untold} have happened and nobody was told`);
    if (operation === "createDepositAddress") continue;
    const { count } = await db.read
      .selectFrom(tables[operation])
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const effects = count - (operation === "placeOrder" ? ordersBefore : 0);
    if (effects !== keys.size) problems.push(`${operation}: ${effects} effects of ${keys.size}`);
  }
  const done = await db.read.selectFrom("work").select("id").where("state", "=", "DONE").execute();
  const ids = new Set(done.map(({ id }) => id));
  const undone = [...book.completed].filter((id) => !ids.has(id)).length;
  if (undone > 0) problems.push(`${undone} items of work were completed and are not done`);
  return problems;
}
