import { sql } from "kysely";
import type { Db } from "#ports/db.ts";

/**
 * Counts the changes of an account's ledger and lists. Both columns only grow, so while the sum stays the same, so
 * do the ledger and the lists. The query must join `balances`.
 */
export const listChanges = sql<number>`balances.entries + balances.list_changes`;

/**
 * The version of an account's ledger and lists. Call it right after reading the count, so that the generation is that
 * of the server that counted.
 */
export function listsVersion(db: Db, changes: number): string {
  return `${db.generation()}/${changes}`;
}
