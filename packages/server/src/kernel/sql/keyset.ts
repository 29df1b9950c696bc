import { sql, type RawBuilder } from "kysely";

/** Where a page of an account's list begins. */
export interface PageStart {
  readonly accountId: string;
  /** The last id of the previous page. */
  readonly after: string;
}

type ListTable = "servers" | "orders" | "withdrawals" | "deposits";

/**
 * Keyset condition of a list that is ordered newest first by a time and then by id. The time of the last row is
 * read in the same statement, scoped by account, so the id of another account's row yields an empty page.
 */
export function comesAfter(
  table: ListTable,
  timeColumn: "created_at" | "seen_at",
  { accountId, after }: PageStart,
): RawBuilder<boolean> {
  const time = sql.ref(timeColumn);
  return sql`(${time}, id) < ((
    select ${time} from ${sql.table(table)} where id = ${after} and account_id = ${accountId}
  ), ${after})`;
}
