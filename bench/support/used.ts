import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Core } from "#server/kernel/core.ts";

/** What operations have used so far. */
export interface Used {
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly rows: number;
  readonly bytes: number;
  readonly logBytes: number;
}

export const costsDatabase = "ironlease_costs";

export async function usedBy(core: Core, serviceUs: () => number): Promise<Used> {
  const stored = await (core.db.engine === "postgres" ? inPostgres(core) : inSqlite(core));
  return { serviceUs: serviceUs(), databaseUs: processorUs(backendsOf(costsDatabase)), ...stored };
}

async function inPostgres({ db }: Core) {
  const { rows } = await sql<{ bytes: number; log: number }>`
    select pg_database_size(current_database()) as bytes,
      pg_current_wal_lsn() - '0/0' as log`.execute(db.read);
  return {
    rows: await countRows(db.read),
    bytes: rows[0]?.bytes ?? 0,
    logBytes: rows[0]?.log ?? 0,
  };
}

async function inSqlite({ db }: Core) {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(
    db.read,
  );
  return { rows: await countRows(db.read), bytes: rows[0]?.bytes ?? 0, logBytes: 0 };
}

const tables = [
  "journal",
  "orders",
  "servers",
  "work",
  "audit",
  "deliveries",
  "idempotency_keys",
  "withdrawals",
] as const;

async function countRows(db: Core["db"]["read"]): Promise<number> {
  let all = 0;
  for (const table of tables) {
    const counted = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as("count"));
    all += (await counted.executeTakeFirstOrThrow()).count;
  }
  return all;
}

/** PostgreSQL's processes for a database, by the title that each one sets. */
export function backendsOf(database: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && titleOf(name).includes(` ${database} `))
    .map(Number);
}

function titleOf(pid: string): string {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return title.startsWith("postgres:") ? title : "";
  } catch {
    return "";
  }
}

/** Linux counts in hundredths of a second. */
export function processorUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * 10_000;
  }, 0);
}

export function ownUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
