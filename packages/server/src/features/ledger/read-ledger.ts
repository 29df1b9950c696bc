import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { entryColumns, type LedgerEntry } from "#kernel/ledger-entry.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";

export interface LedgerRecord {
  readonly balanceCents: number;
  readonly heldCents: number;
  readonly entries: readonly HashedEntry[];
}

export interface HashedEntry extends LedgerEntry {
  /** Null until an entry of an earlier version is chained. */
  readonly hash: string | null;
}

interface OfAccount extends Record<string, string> {
  readonly accountId: string;
}

interface NextPage extends OfAccount {
  readonly after: string;
}

/**
 * The latest journal rows that the customer sees, with the balance at the same moment. One statement, so that no
 * movement can come between the two. A withdrawal's payout does not change the spendable balance, but it is how the
 * customer learns that the withdrawal was paid.
 */
const latest = (db: Kysely<Schema>, accountId: string) =>
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
    .where((eb) => eb.or([eb("change_cents", "<>", 0), eb("type", "=", "WITHDRAWAL_PAYOUT")]))
    .orderBy("sequence", "desc")
    // One more, whose hash is the one before the last entry.
    .limit(limits.listLength + 1);

const latestEntries = prepared(["accountId"], (db, { accountId }: OfAccount) =>
  latest(db, accountId),
);
const nextEntries = prepared(["accountId", "after"], (db, { accountId, after }: NextPage) =>
  latest(db, accountId).where("sequence", "<", (eb) =>
    eb
      .selectFrom("journal as last")
      .select("last.sequence")
      .where("last.id", "=", after)
      .where("last.account_id", "=", accountId),
  ),
);

/** An account without entries has never had money, so its balances are zero. */
export async function readLedger(
  { db: { read } }: Core,
  accountId: string,
  after?: string,
): Promise<LedgerRecord> {
  const rows =
    after === undefined
      ? await latestEntries(read, { accountId })
      : await nextEntries(read, { accountId, after });
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
