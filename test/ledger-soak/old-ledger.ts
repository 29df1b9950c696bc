import { sql, type RawBuilder } from "kysely";
import { createLog } from "#server/adapters/system/log.ts";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import { readConfig } from "#server/config.ts";
import { ok } from "#server/kernel/result.ts";
import { migrations } from "#server/migrations/index.ts";
import type { Db } from "#server/ports/db.ts";

export const soakPassword = "a long pass phrase";

export interface OldLedger {
  readonly entries: number;
  readonly accounts: number;
}

/** The first customer has a tenth of all entries, the others share the rest. */
export function longestLedger({ entries }: OldLedger): number {
  return Math.ceil(entries / 10);
}

export const customerName = (index: number) => `soak${index}`;

/** Rows per statement. Larger statements would exceed the service's statement timeout. */
const chunk = 50_000;

/** Enough for every order of the soak. */
const cents = 10_000;

/** Leaves a database as the last version without hashes would have left it. */
export async function writeOldLedger(
  settings: Readonly<Record<string, string>>,
  ledger: OldLedger,
): Promise<void> {
  const config = readConfig("preview", settings);
  const db = await openDatabase(config, createLog("silent"));
  try {
    const withoutHashes = migrations.findIndex(({ name }) => name === "0025-ledger-chain");
    await db.migrate(migrations.slice(0, withoutHashes), Date.now());
    const hashed = await createCore(config, db).passwords.hash(soakPassword);
    if (!hashed.ok) throw new Error(hashed.refusal.code);
    const longest = longestLedger(ledger);
    const others = ledger.accounts - 1;
    await addAccounts(db, ledger.accounts, hashed.value);
    await addEntries(db, longest, { account: sql`(0)`, sequence: sql`(1 + n)` });
    await addEntries(db, ledger.entries - longest, {
      account: sql`(1 + n % ${sql.lit(others)})`,
      sequence: sql`(1 + n / ${sql.lit(others)})`,
    });
    await setBalances(db);
  } finally {
    await db.close();
  }
}

/** The numbers from one to before another, in a table with the column `n`. */
function numbers({ engine }: Db, from: number, to: number): RawBuilder<unknown> {
  const [first, last] = [sql.lit(from), sql.lit(to - 1)];
  return engine === "postgres"
    ? sql`generate_series(${first}, ${last}) as numbers(n)`
    : sql`(with recursive s(n) as (select ${first} union all select n + 1 from s where n < ${last})
        select n from s) as numbers`;
}

async function addAccounts(db: Db, count: number, hash: string): Promise<void> {
  await db.write(async (tx) => {
    await sql`insert into accounts (id, username, password_hash, recovery_hash, created_at)
      select 'acc_soak' || n, 'soak' || n, ${hash}, '', 0 from ${numbers(db, 0, count)}`.execute(
      tx,
    );
    return ok();
  });
}

async function addEntries(
  db: Db,
  count: number,
  of: { readonly account: RawBuilder<unknown>; readonly sequence: RawBuilder<unknown> },
): Promise<void> {
  const { account, sequence } = of;
  const amount = sql.lit(cents);
  for (let from = 0; from < count; from += chunk) {
    await db.write(async (tx) => {
      await sql`insert into journal (id, created_at, type, cause, from_account, to_account, amount_cents, account_id,
          sequence, change_cents, balance_after_cents, held_after_cents, description, reference_kind, reference_id)
        select 'led_soak' || ${account} || '_' || ${sequence}, 1700000000000 + n, 'ADJUSTMENT',
          'soak/' || ${account} || '/' || ${sequence}, 'house/adjustments',
          'customer/acc_soak' || ${account} || '/spendable', ${amount}, 'acc_soak' || ${account}, ${sequence},
          ${amount}, ${amount} * ${sequence}, 0, 'Credit for an outage', 'adjustment', 'soak'
        from ${numbers(db, from, Math.min(count, from + chunk))}`.execute(tx);
      return ok();
    });
  }
}

async function setBalances(db: Db): Promise<void> {
  await db.write(async (tx) => {
    await sql`insert into balances (account_id, available_cents, held_cents, entries)
      select account_id, sum(change_cents), 0, count(*) from journal group by account_id`.execute(
      tx,
    );
    return ok();
  });
}
