import type { Db } from "#ports/db.ts";
import { preparedOne } from "./sql/prepared.ts";

/** The start is inclusive, the end exclusive. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

type At = Readonly<{ accountId: string; sequence: number }>;

export const entryAt = preparedOne(["accountId", "sequence"], (db, { accountId, sequence }: At) =>
  db
    .selectFrom("journal")
    .select(["created_at as createdAt", "balance_after_cents as balanceCents", "hash"])
    .where("account_id", "=", accountId)
    .where("sequence", "=", sequence),
);

const countEntries = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db.selectFrom("balances").select("entries").where("account_id", "=", accountId),
);

/** Where a period is in an account's ledger: its entries come after `before`, up to and with `last`. */
export async function sequencesOf(
  db: Pick<Db, "read">,
  accountId: string,
  { from, to }: Period,
): Promise<{ readonly before: number; readonly last: number }> {
  const entries = (await countEntries(db.read, { accountId }))?.entries ?? 0;
  const before = from === undefined ? 0 : await countBefore(db, accountId, from, entries);
  const until = to === undefined ? entries : await countBefore(db, accountId, to, entries);
  return { before, last: Math.max(before, until) };
}

/**
 * How many entries precede a time. A binary search, because entries are in order of time and have no index by it. Its
 * steps are powers of two, so later entries do not change its path: if the clock went back, the order is broken, but
 * the same time still finds the same place, and one period ends where the next begins.
 */
async function countBefore(
  { read }: Pick<Db, "read">,
  accountId: string,
  time: number,
  entries: number,
): Promise<number> {
  let before = 0;
  for (let step = 2 ** Math.floor(Math.log2(entries)); step >= 1; step /= 2) {
    const sequence = before + step;
    if (sequence > entries) continue;
    const entry = await entryAt(read, { accountId, sequence });
    if (entry !== undefined && entry.createdAt < time) before = sequence;
  }
  return before;
}
