import { sql } from "kysely";
import { entryColumns, hashEntry } from "#kernel/ledger-entry.ts";
import type { Db } from "#ports/db.ts";
import { maxOffenders, type Finding, type Offender } from "./invariant.ts";

const entriesPerPage = 1_000;

/**
 * Recomputes every hash of the ledger. SQLite has no SHA-256, so the pages are read one after the other. Each row comes
 * with the hash before it and the head of its chain from the same statement, so entries that are written meanwhile
 * raise no false alarm.
 */
export async function checkChains({ read }: Pick<Db, "read">): Promise<Finding> {
  const offenders: Offender[] = [];
  let count = 0;
  let last = { accountId: "", sequence: 0 };
  for (;;) {
    const page = await pageAfter(read, last);
    for (const row of page) {
      const problem = problemOf(row);
      if (problem !== undefined) offenders.push({ subject: row.id, problem });
    }
    count += page.length;
    last = page.at(-1) ?? last;
    if (page.length < entriesPerPage || offenders.length > maxOffenders) break;
  }
  offenders.push(...(await headsWithoutEntry(read)));
  return {
    number: 13,
    title: "every ledger entry is chained to the one before it, and the balance has the last hash",
    count,
    offenders: offenders.slice(0, maxOffenders),
    more: offenders.length > maxOffenders,
  };
}

async function pageAfter(read: Db["read"], last: { accountId: string; sequence: number }) {
  return read
    .selectFrom((from) =>
      from
        .selectFrom("journal")
        .select([...entryColumns, "account_id as accountId", "sequence", "hash"])
        .where(sql<boolean>`(account_id, sequence) > (${last.accountId}, ${last.sequence})`)
        .orderBy("account_id")
        .orderBy("sequence")
        .limit(entriesPerPage)
        .as("entry"),
    )
    .leftJoin("balances", "balances.account_id", "entry.accountId")
    .leftJoin("journal as before", (on) =>
      on
        .onRef("before.account_id", "=", "entry.accountId")
        .on(sql<boolean>`before.sequence = entry.sequence - 1`),
    )
    .selectAll("entry")
    .select([
      "before.hash as previousHash",
      "balances.chained_entries as chained",
      "balances.head_hash as head",
    ])
    .orderBy("entry.accountId")
    .orderBy("entry.sequence")
    .execute();
}

type Row = Awaited<ReturnType<typeof pageAfter>>[number];

function problemOf({ sequence, chained, hash, head, ...entry }: Row): string | undefined {
  if (chained === null) return "its account has no balance";
  if (sequence > chained) {
    return hash === null ? undefined : "it has a hash, but the balance does not count it";
  }
  if (hash !== hashEntry(entry)) return "it does not match its hash and the entry before it";
  return sequence === chained && hash !== head
    ? "its hash is not the head of the chain"
    : undefined;
}

async function headsWithoutEntry(read: Db["read"]): Promise<readonly Offender[]> {
  return read
    .selectFrom("balances")
    .leftJoin("journal", (on) =>
      on
        .onRef("journal.account_id", "=", "balances.account_id")
        .onRef("journal.sequence", "=", "balances.chained_entries"),
    )
    .select([
      "balances.account_id as subject",
      sql.lit("the head of its chain is not an entry").as("problem"),
    ])
    .where("journal.id", "is", null)
    .where((eb) => eb.or([eb("chained_entries", "<>", 0), eb("head_hash", "is not", null)]))
    .limit(maxOffenders + 1)
    .execute();
}
