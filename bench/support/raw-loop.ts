import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { BenchService } from "./bench-service.ts";

/**
 * What an order is at the least: its statements, prepared, one after the other, one commit each, with
 * nothing around them. Gives orders a second.
 */
export async function rawLoop(service: BenchService, seconds: number): Promise<number> {
  return service.databaseUrl === undefined
    ? rawSqlite(service, seconds)
    : rawPostgres(service, service.databaseUrl, seconds);
}

const statements = {
  key: "insert into idempotency_keys values (?, 'raw', ?, 'hash', 0, '', ?) on conflict do nothing",
  catalogue: "select version, updated_at from catalogues where id = 1",
  balance:
    "update balances set available_cents = available_cents - 100, entries = entries + 1 where account_id = ? and available_cents >= 100 returning available_cents, entries",
  journal:
    "insert into journal values (?, ?, 'ORDER_CHARGE', ?, ?, 'house/revenue', 100, ?, ?, -100, ?, 0, 'raw', 'order', ?)",
  stock:
    "update stock set free = free - 1 where config_id = 'bench' and region_id = 'bench' and free >= 1",
  machine:
    "update machines set state = 'RESERVED' where id in (select id from machines where config_id = 'bench' and region_id = 'bench' and state = 'FREE' order by id limit 1) returning id",
  order: "insert into orders values (?, ?, 'bench', 'bench', 'bench', 'weekly', 1, 100, null, ?)",
  server:
    "insert into servers values (?, ?, ?, 'bench', 'bench', 'bench', null, 'PROVISIONING', 'weekly', 100, null, null, 1, 'BASELINE', null, 0, ?, ?)",
  work: "insert into work values (?, 'PROVISION', 'OPEN', ?, null, null, ?, ?, ?, null, null, null, '{}', '[]', null, null, null)",
  audit: "insert into audit values (?, ?, ?, 'order.place', ?, '{}', '127.0.0.1')",
  answer:
    "update idempotency_keys set status = 201, body = ? where owner_id = ? and operation = 'raw' and key = ?",
} as const;

type Name = keyof typeof statements;
type Run = (
  name: Name,
  values: (string | number)[],
) => Promise<Record<string, unknown> | undefined>;

let orders = 0;

async function order(run: Run, accountId: string): Promise<void> {
  orders += 1;
  const now = Date.now();
  const id = `raw-${process.pid}-${now}-${orders}`;
  await run("key", [accountId, id, now]);
  await run("catalogue", []);
  const balance = await run("balance", [accountId]);
  const sequence = Number(balance?.["entries"]);
  const after = Number(balance?.["available_cents"]);
  await run("journal", [
    id,
    now,
    `order/${id}`,
    `customer/${accountId}/spendable`,
    accountId,
    sequence,
    after,
    id,
  ]);
  await run("stock", []);
  const machine = await run("machine", []);
  await run("order", [id, accountId, now]);
  await run("server", [id, accountId, id, String(machine?.["id"]), now]);
  await run("work", [id, now, accountId, id, id]);
  await run("audit", [id, now, accountId, id]);
  await run("answer", [`{"id":"${id}"}`, accountId, id]);
}

async function loop(seconds: number, once: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    await once();
    done += 1;
  }
  return done / ((performance.now() - startedAt) / 1000);
}

async function rawSqlite({ data, accountId }: BenchService, seconds: number): Promise<number> {
  const database = new DatabaseSync(join(data, "ironlease.db"), { timeout: 5_000 });
  database.exec("pragma synchronous = full");
  database.exec("pragma foreign_keys = on");
  const prepared = new Map(
    Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]),
  );
  const run: Run = async (name, values) => prepared.get(name)?.get(...values);
  try {
    return await loop(seconds, async () => {
      database.exec("begin immediate");
      await order(run, accountId);
      database.exec("commit");
    });
  } finally {
    database.close();
  }
}

/** As many loops as the service has connections. */
async function rawPostgres(service: BenchService, url: string, seconds: number): Promise<number> {
  const rates = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const run: Run = async (name, values) => {
        let place = 0;
        const text = statements[name].replaceAll("?", () => `$${(place += 1)}`);
        return (await client.query({ name, text, values })).rows[0] as Record<string, unknown>;
      };
      try {
        return await loop(seconds, async () => {
          await client.query("begin");
          await order(run, service.accountId);
          await client.query("commit");
        });
      } finally {
        await client.end();
      }
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}
