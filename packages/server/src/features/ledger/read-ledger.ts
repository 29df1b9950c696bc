import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { entryColumns } from "#kernel/ledger-entry.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { HashedEntry } from "./select-entries.ts";

export interface LedgerRecord {
  readonly balanceCents: number;
  readonly heldCents: number;
  readonly entries: readonly HashedEntry[];
}

/**
 * The latest journal rows, with the balance at the same moment. One statement, so that no movement can come between the
 * two. A withdrawal's payout does not change the spendable balance, but it is how the customer learns that the
 * withdrawal was paid.
 */
const latestEntries = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("journal")
    .select((eb) => [
      eb
        .selectFrom("balances")
        .select("available_cents")
        .where("balances.account_id", "=", accountId)
        .as("balanceCents"),
      eb
        .selectFrom("balances")
        .select("held_cents")
        .where("balances.account_id", "=", accountId)
        .as("heldCents"),
      ...entryColumns,
      "hash",
    ])
    .where("account_id", "=", accountId)
    .orderBy("sequence", "desc")
    // One more, whose hash is the one before the last entry.
    .limit(limits.listLength + 1),
);

/** An account without entries has never had money, so its balances are zero. */
export async function readLedger({ db: { read } }: Core, accountId: string): Promise<LedgerRecord> {
  const rows = await latestEntries(read, { accountId });
  const { balanceCents, heldCents } = rows[0] ?? {};
  return {
    balanceCents: balanceCents ?? 0,
    heldCents: heldCents ?? 0,
    entries: rows.slice(0, limits.listLength).map((row, index) => ({
      ...row,
      previousHash: row.hash === null ? null : (rows[index + 1]?.hash ?? null),
    })),
  };
}
