import { sql } from "kysely";
import type { Db } from "#ports/db.ts";

/**
 * Both counts only grow, so their sum is another one when either has: as long as it stays, an account's
 * ledger and lists say the same. It takes a look at `balances`.
 */
export const listChanges = sql<number>`balances.entries + balances.list_changes`;

/** To be called as soon as the count was read, so that the generation is that of the server that counted. */
export function listsVersion(db: Db, changes: number): string {
  return `${db.generation()}/${changes}`;
}
