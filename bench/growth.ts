import { sql } from "kysely";
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

/** Entries of other customers, written straight into the journal with their balances. */
async function growTo({ data, databaseUrl, engine }: BenchService, size: number): Promise<void> {
  await withCore(data, databaseUrl, async ({ db }) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from journal`.execute(
      db.read,
    );
    const missing = size - (rows[0]?.count ?? 0);
    if (missing <= 0) return;
    const stamp = Date.now();
    const series =
      engine === "postgres"
        ? sql`select n from generate_series(1, ${sql.lit(missing)}) as n`
        : sql`with recursive s(n) as (select 1 union all select n + 1 from s where n < ${sql.lit(missing)}) select n from s`;
    const account = sql`'acc_grow_' || ${sql.lit(String(stamp))} || '_' || (n % 1000)`;
    await db.write(async (tx) => {
      await sql`insert into accounts select distinct ${account}, ${account}, '', '', 0 from (${series}) as t`.execute(
        tx,
      );
      await sql`insert into journal select 'led_grow_' || ${sql.lit(String(stamp))} || '_' || n, 0, 'ADJUSTMENT',
        'grow/' || ${sql.lit(String(stamp))} || '/' || n, 'house/adjustments', 'customer/' || ${account} || '/spendable',
        1, ${account}, 1 + n / 1000, 1, 1 + n / 1000, 0, 'grow', 'adjustment', 'grow' from (${series}) as t`.execute(
        tx,
      );
      return { ok: true, value: undefined };
    });
  });
}
