import { sql } from "kysely";
import type { Db } from "../packages/server/src/ports/db.ts";
import { orderRequest, signedIn, type BenchService } from "./support/bench-service.ts";
import { measure } from "./support/processes.ts";
import { benchOrder, withCore } from "./support/rental.ts";

const sizes = [1_000, 100_000, 1_000_000];
const seconds = 3;

/** Time for an order and for a ledger read as the journal grows, as a multiple of the first size. */
export async function benchGrowth(service: BenchService): Promise<void> {
  const read = signedIn("GET /api/v1/ledger HTTP/1.1", service.port, service.cookie);
  const orders = orderRequest(service, benchOrder);
  let first: { order: number; ledger: number } | undefined;
  for (const size of sizes) {
    await growTo(service, size);
    await measure(service.port, orders, 1);
    const order = 1 / (await measure(service.port, orders, seconds)).perSecond;
    await measure(service.port, read, 1);
    const ledger = 1 / (await measure(service.port, read, seconds)).perSecond;
    first ??= { order, ledger };
    console.log(
      `${service.engine} with ${size} ledger entries: an order takes ${(order / first.order).toFixed(2)} ×, a ledger read ${(ledger / first.ledger).toFixed(2)} × the time`,
    );
  }
}

/** More in one statement than this takes longer than the service lets a statement take. */
const chunk = 100_000;

/** Entries of other customers, written straight into the journal. */
async function growTo({ data, databaseUrl }: BenchService, size: number): Promise<void> {
  await withCore(data, databaseUrl, async ({ db }) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from journal`.execute(
      db.read,
    );
    for (let missing = size - (rows[0]?.count ?? 0); missing > 0; missing -= chunk) {
      await insertEntries(db, Math.min(missing, chunk), `${Date.now()}_${missing}`);
    }
  });
}

async function insertEntries(db: Db, count: number, stamp: string): Promise<void> {
  const series =
    db.engine === "postgres"
      ? sql`select n from generate_series(1, ${sql.lit(count)}) as n`
      : sql`with recursive s(n) as (select 1 union all select n + 1 from s where n < ${sql.lit(count)}) select n from s`;
  const name = sql.lit(stamp);
  const account = sql`'acc_grow_' || ${name} || '_' || (n % 1000)`;
  await db.write(async (tx) => {
    await sql`insert into accounts select distinct ${account}, ${account}, '', '', 0
      from (${series}) as t`.execute(tx);
    await sql`insert into journal select 'led_grow_' || ${name} || '_' || n, 0, 'ADJUSTMENT',
      'grow/' || ${name} || '/' || n, 'house/adjustments', 'customer/' || ${account} || '/spendable',
      1, ${account}, 1 + n / 1000, 1, 1 + n / 1000, 0, 'grow', 'adjustment', 'grow'
      from (${series}) as t`.execute(tx);
    return { ok: true, value: undefined };
  });
}
