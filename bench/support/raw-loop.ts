import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { BenchService } from "./bench-service.ts";

export type RawWrite = keyof typeof writes;

/**
 * What a write is at the least: its statements, prepared, one after the other, one commit each, with
 * nothing around them. Gives writes a second.
 */
export async function rawLoop(
  service: BenchService,
  name: RawWrite,
  serverId: string,
  seconds: number,
): Promise<number> {
  const once = (run: Run) => writes[name](run, service.accountId, serverId);
  return service.databaseUrl === undefined
    ? rawSqlite(service, once, seconds)
    : rawPostgres(service.databaseUrl, once, seconds);
}

/** With `?` for each value, in the order of the columns. */
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
    "insert into servers values (?, ?, ?, 'bench', 'bench', 'bench', null, 'PROVISIONING', 'weekly', 100, null, null, 1, 'BASELINE', null, 0, ?, ?, null)",
  work: "insert into work values (?, 'PROVISION', 'OPEN', ?, null, null, ?, ?, ?, null, null, null, '{}', '[]', null, null, null)",
  audit: "insert into audit values (?, ?, ?, 'order.place', ?, '{}', '127.0.0.1')",
  hold: "update balances set available_cents = available_cents - 100, held_cents = held_cents + 100, entries = entries + 1 where account_id = ? and available_cents >= 100 returning available_cents, held_cents, entries",
  held: "insert into journal values (?, ?, 'WITHDRAWAL_HOLD', ?, ?, ?, 100, ?, ?, -100, ?, ?, 'raw', 'withdrawal', ?)",
  withdrawal:
    "insert into withdrawals values (?, ?, 'ETH', '0x', 100, 'PENDING_REVIEW', null, ?, null)",
  review:
    "insert into work values (?, 'WITHDRAWAL', 'OPEN', ?, null, null, ?, null, null, null, ?, null, '{}', '[]', null, null, null)",
  lock: "select id, state, order_id, os_id, hostname, machine_id, ddos_mode from servers where id = ? and account_id = ? and state <> 'TERMINATED'",
  action: "insert into actions values (?, ?, ?, 'reboot', null, ?)",
  deed: "insert into work values (?, 'SERVER_ACTION', 'OPEN', ?, null, null, ?, null, ?, ?, null, null, '{}', '[]', null, null, null)",
  answer:
    "update idempotency_keys set status = 201, body = ? where owner_id = ? and operation = 'raw' and key = ?",
} as const;

type Name = keyof typeof statements;
type Run = (
  name: Name,
  values: (string | number)[],
) => Promise<Record<string, unknown> | undefined>;

let ids = 0;

function nextId(now: number): string {
  ids += 1;
  return `raw-${process.pid}-${now}-${ids}`;
}

const writes = { order, withdrawal, action };

async function order(run: Run, accountId: string): Promise<void> {
  const now = Date.now();
  const id = nextId(now);
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

async function withdrawal(run: Run, accountId: string): Promise<void> {
  const now = Date.now();
  const id = nextId(now);
  await run("key", [accountId, id, now]);
  const balance = await run("hold", [accountId]);
  const [entries, available, held] = ["entries", "available_cents", "held_cents"].map((name) =>
    Number(balance?.[name]),
  );
  await run("held", [
    ...[id, now, `withdrawal/${id}/hold`],
    ...[`customer/${accountId}/spendable`, `customer/${accountId}/held`],
    ...[accountId, entries ?? 0, available ?? 0, held ?? 0, id],
  ]);
  await run("withdrawal", [id, accountId, now]);
  await run("review", [id, now, accountId, id]);
  await run("audit", [id, now, accountId, id]);
  await run("answer", [`{"id":"${id}"}`, accountId, id]);
}

async function action(run: Run, accountId: string, serverId: string): Promise<void> {
  const now = Date.now();
  const id = nextId(now);
  await run("lock", [serverId, accountId]);
  await run("key", [accountId, id, now]);
  await run("action", [id, accountId, serverId, now]);
  await run("deed", [id, now, accountId, serverId, id]);
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

type Once = (run: Run) => Promise<void>;

async function rawSqlite({ data }: BenchService, once: Once, seconds: number): Promise<number> {
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
      await once(run);
      database.exec("commit");
    });
  } finally {
    database.close();
  }
}

/** As many loops as the service has connections. */
async function rawPostgres(url: string, once: Once, seconds: number): Promise<number> {
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
          await once(run);
          await client.query("commit");
        });
      } finally {
        await client.end();
      }
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}
