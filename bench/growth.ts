import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";
import {
  addCustomer,
  changeRequest,
  inAllSessions,
  sendAs,
  type BenchService,
} from "./support/bench-service.ts";
import { measure, startBare } from "./support/processes.ts";
import { fillServers } from "./support/due-servers.ts";
import { benchOrder, withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const { ledgerSizes, unreadRows } = workload;
const seconds = workload.seconds(3);
const ownServers = 5;
const warmUpSeconds = workload.seconds(1);

/**
 * Measures an order and reads as the tables grow, as a multiple of the time at the first size. Each time is
 * relative to bare `node:http` in the same seconds, because minutes lie between two sizes.
 */
export async function benchGrowth(service: BenchService): Promise<void> {
  const { engine, port, data, databaseUrl } = service;
  // A second customer reads, so that the measured orders do not lengthen the lists.
  const reader = await addCustomer(service, "reader");
  const place = sendAs(reader);
  for (let index = 0; index < ownServers; index += 1) await place("/api/v1/orders", benchOrder);
  const get = (path: string) => inAllSessions(`GET ${path} HTTP/1.1`, port, reader.cookies);
  const measured = {
    "an order": [changeRequest(service, "/api/v1/orders", benchOrder)],
    "a ledger": get("/api/v1/ledger"),
    servers: get("/api/v1/servers"),
    "the account": get("/api/v1/me"),
  };
  const bare = await startBare({ "content-length": "2" }, "{}");
  const toBare = { port: bare.port, requests: ["GET / HTTP/1.1\r\nhost: bare\r\n\r\n"] };
  const first = new Map<string, number>();
  const report = async (size: string) => {
    const times: string[] = [];
    for (const [name, requests] of Object.entries(measured)) {
      const targets = [toBare, { port, requests }] as const;
      await measure(targets, { seconds: warmUpSeconds });
      const [minimum, ours] = await measure(targets, { seconds });
      const time = minimum.perSecond / ours.perSecond;
      if (!first.has(name)) first.set(name, time);
      times.push(`${name} ${(time / (first.get(name) ?? time)).toFixed(2)} ×`);
    }
    console.log(`${engine} with ${size}: ${times.join(", ")} the time`);
  };
  try {
    for (const size of ledgerSizes) {
      await growTo(service, size);
      await report(`${size} ledger entries`);
    }
    await withCore(data, databaseUrl, (core) => fillServers(core, "grown", unreadRows, unreadRows));
    await report(`${unreadRows} more accounts and servers`);
  } finally {
    await bare.stop();
  }
}

/** Rows per statement. Larger statements would exceed the service's statement timeout. */
const chunk = 100_000;

/** Adds entries of other customers directly to the journal. */
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
    await sql`insert into accounts (id, username, password_hash, recovery_hash, created_at) select distinct ${account}, ${account}, '', '', 0
      from (${series}) as t`.execute(tx);
    await sql`insert into journal select 'led_grow_' || ${name} || '_' || n, 0, 'ADJUSTMENT',
      'grow/' || ${name} || '/' || n, 'house/adjustments', 'customer/' || ${account} || '/spendable',
      1, ${account}, 1 + n / 1000, 1, 1 + n / 1000, 0, 'grow', 'adjustment', 'grow', null
      from (${series}) as t`.execute(tx);
    return { ok: true, value: undefined };
  });
}
