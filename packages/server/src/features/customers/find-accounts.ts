import { limits } from "@ironlease/contract";
import { sql, type RawBuilder } from "kysely";
import type { Core } from "#kernel/core.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import { readSearch, type SearchFor } from "./search-text.ts";

export interface AccountSearch {
  readonly query?: string;
  /** Only closed accounts. */
  readonly closed?: "true";
  /** The last id of the previous page. */
  readonly after?: string;
}

/** A page of the accounts that match a search, in order of registration. Takes one query. */
export async function findAccounts(
  { db }: Core,
  { query = "", closed, after }: AccountSearch,
): Promise<readonly AccountSummary[]> {
  let accounts = selectAccounts(db.read).orderBy("accounts.id").limit(limits.listLength);
  const condition = conditionFor(readSearch(query));
  if (condition !== undefined) accounts = accounts.where(condition);
  if (closed !== undefined) accounts = accounts.where("accounts.closed_at", "is not", null);
  if (after !== undefined) accounts = accounts.where("accounts.id", ">", after);
  return accounts.execute();
}

/** Every search except for part of a username uses an index. Undefined matches every account. */
function conditionFor(search: SearchFor): RawBuilder<boolean> | undefined {
  switch (search.kind) {
    case "everything":
      return undefined;
    case "account":
      return sql`accounts.id = ${search.id}`;
    case "row":
      return sql`accounts.id in (select account_id from ${sql.table(search.table)} where id = ${search.id})`;
    case "assignment":
      return sql`accounts.id in (
        select account_id from assignments
          where address = ${search.address} and released_at is null)`;
    case "text": {
      const { text, partOfUsername } = search;
      const named = sql<boolean>`accounts.id in (
        select account_id from deposit_addresses where address = ${text}
        union select account_id from deposits where transaction_id = ${text}
        union select account_id from withdrawals where transaction_id = ${text})`;
      if (partOfUsername === undefined) return named;
      const anywhere = `%${partOfUsername.replaceAll("_", "\\_")}%`;
      return sql`(accounts.username like ${anywhere} escape '\\' or ${named})`;
    }
  }
}
