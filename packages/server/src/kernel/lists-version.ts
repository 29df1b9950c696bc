import { sql } from "kysely";
import type { Db } from "#ports/db.ts";

/**
 * A version of an account's ledger and lists: both counts only grow, so their sum changes whenever either does. The
 * query must include `balances`.
 */
export const listChanges = sql<number>`balances.entries + balances.list_changes`;

/** Called right after the count is read, so that the generation belongs to the server that counted. */
export function listsVersion(db: Db, changes: number): string {
  return `${db.generation()}/${changes}`;
}
