import { usdFromCents } from "@ironlease/contract";
import type { Json, StatementEntry, StatementFrame } from "@ironlease/statement";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { chainNext } from "#kernel/ledger.ts";
import { entryColumns, entryOnWire } from "#kernel/ledger-entry.ts";
import { entryAt, sequencesOf, type Period } from "#kernel/ledger-period.ts";
import { ok, refuse } from "#kernel/result.ts";
import { prepared, preparedOne } from "#kernel/sql/prepared.ts";
import { signHead } from "#kernel/statement-keys.ts";
import type { Result } from "#ports/result.ts";

export interface SignedStatement {
  readonly frame: StatementFrame;
  /** Reads the entries while they are sent, so that a long statement needs no more memory than a short one. */
  readonly pages: () => AsyncGenerator<readonly StatementEntry[]>;
}

const entriesPerPage = 500;

/** Old entries that a request chains itself. The background job chains longer histories. */
const maxSteps = 10;

type At = Readonly<{ accountId: string; sequence: number }>;

const chainOf = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("balances")
    .select(["entries", "chained_entries as chained"])
    .where("account_id", "=", accountId),
);

const entriesAfter = prepared(["accountId", "sequence"], (db, { accountId, sequence }: At) =>
  db
    .selectFrom("journal")
    .select([...entryColumns, "sequence", "hash"])
    .where("account_id", "=", accountId)
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .limit(entriesPerPage),
);

/**
 * Signs the chain up to the end of the period. Entries are never changed and the last one is chosen first, so entries
 * that are written meanwhile do not matter.
 */
export async function readStatement(
  core: Core,
  accountId: string,
  period: Period,
): Promise<Result<SignedStatement>> {
  const entries = await chainedEntries(core, accountId);
  if (entries === undefined) {
    return refuse("service_unavailable", {
      message: "Older ledger entries are still being hashed. Try again in a few minutes.",
    });
  }
  const { before, last } = await sequencesOf(core.db, accountId, period);
  const opening = await entryAt(core.db.read, { accountId, sequence: before });
  const closing = await entryAt(core.db.read, { accountId, sequence: last });
  const head = {
    account: accountId,
    hash: closing?.hash ?? null,
    count: last,
    at: isoTime(core.clock.now()),
  };
  const frame: StatementFrame = {
    openingBalanceUsd: usdFromCents(opening?.balanceCents ?? 0),
    closingBalanceUsd: usdFromCents(closing?.balanceCents ?? 0),
    previousHash: opening?.hash ?? null,
    head,
    signature: await signHead(core, head satisfies Json),
  };
  return ok({
    frame,
    pages: () => pagesBetween(core, accountId, { before, last, previousHash: frame.previousHash }),
  });
}

/** The number of entries, or undefined while too many of them have no hash. */
async function chainedEntries({ db }: Core, accountId: string): Promise<number | undefined> {
  for (let step = 0; step < maxSteps; step += 1) {
    const chain = await chainOf(db.read, { accountId });
    if (chain === undefined || chain.chained === chain.entries) return chain?.entries ?? 0;
    await chainNext(db, accountId);
  }
  return undefined;
}

async function* pagesBetween(
  { db }: Core,
  accountId: string,
  range: { readonly before: number; readonly last: number; readonly previousHash: string | null },
): AsyncGenerator<readonly StatementEntry[]> {
  let { before: sequence, previousHash } = range;
  while (sequence < range.last) {
    const rows = await entriesAfter(db.read, { accountId, sequence });
    const page: StatementEntry[] = [];
    for (const { hash, ...row } of rows) {
      if (row.sequence > range.last) break;
      page.push({ ...entryOnWire({ ...row, previousHash }), hash: hash ?? "" });
      previousHash = hash;
      sequence = row.sequence;
    }
    // Rows that were deleted behind the service's back: the verifier finds the gap.
    if (page.length === 0) return;
    yield page;
  }
}
