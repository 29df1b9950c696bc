import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { entryColumns, type LedgerEntry } from "#kernel/ledger-entry.ts";

export interface HashedEntry extends LedgerEntry {
  /** Null until an entry of an earlier version is chained. */
  readonly hash: string | null;
}

/** Entries of an account, each with the hash of the one before it. */
export function selectEntries({ db: { read } }: Core, accountId: string) {
  return read
    .selectFrom("journal as entry")
    .select(entryColumns)
    .select(["hash", "sequence"])
    .select((eb) =>
      eb
        .selectFrom("journal as previous")
        .select("previous.hash")
        .where("previous.account_id", "=", accountId)
        .where("previous.sequence", "=", sql<number>`entry.sequence - 1`)
        // An entry that is not chained yet does not name the one before it.
        .where("entry.hash", "is not", null)
        .as("previousHash"),
    )
    .where("account_id", "=", accountId);
}
