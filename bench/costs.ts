import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { readOverview } from "#server/features/overview/read-overview.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import type { Core } from "#server/kernel/core.ts";
import { engines, flag, oneOf, readOptions, whole } from "#test/command-options.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { databaseUrl as urlOf, runStatement } from "#test/template-database.ts";
import {
  addCustomer,
  changeRequest,
  inAllSessions,
  startBenchService,
} from "./support/bench-service.ts";
import { makeCertificate } from "./support/certificate.ts";
import { fillServers, makeDue } from "./support/due-servers.ts";
import { measure, startIronlease } from "./support/processes.ts";
import { benchOrder, withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const usage = `npm run bench:costs -- [--engine sqlite|postgres] [--customers 8] [--due 5000] [--brief]

Prints what one operation costs: processor time of the service and of PostgreSQL, rows, and bytes in the database and
in the write-ahead log. Processor time hardly depends on what else the machine does.

  --engine       only on this engine
  --customers N  customers who share the requests
  --due N        servers that are renewed
  --brief        only check that it runs; the figures mean nothing`;

const { values } = readOptions(usage, {
  engine: oneOf(engines),
  customers: whole(8),
  due: whole(Math.ceil(workload.dueServers / 20)),
  brief: flag,
});
const overviewSizes = [100, workload.unreadRows];
const overviewReads = 20;
const databaseName = "ironlease_costs";

/** What an operation has used so far. */
interface Used {
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly rows: number;
  readonly bytes: number;
  readonly logBytes: number;
}

interface Subject {
  readonly core: Core;
  /** The processor time of the process that runs the operation. */
  readonly serviceUs: () => number;
}

async function usedBy({ core, serviceUs }: Subject): Promise<Used> {
  const stored = await (core.db.engine === "postgres" ? inPostgres(core) : inSqlite(core));
  return { serviceUs: serviceUs(), databaseUs: processorUs(backends()), ...stored };
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

/** PostgreSQL's processes for our database, by the title that each one sets. */
function backends(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && titleOf(name).includes(databaseName))
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
function processorUs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * 10_000;
  }, 0);
}

function ownUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Runs the work, which returns how many operations it made, and prints what one of them cost. */
async function report(name: string, subject: Subject, work: () => Promise<number>): Promise<void> {
  const before = await usedBy(subject);
  const count = await work();
  const after = await usedBy(subject);
  const each = (field: keyof Used) =>
    ((after[field] - before[field]) / count).toFixed(field === "rows" ? 1 : 0);
  const { engine } = subject.core.db;
  const database = engine === "postgres" ? `, PostgreSQL ${each("databaseUs")} µs` : "";
  const log = engine === "postgres" ? `, ${each("logBytes")} bytes of log` : "";
  console.log(
    `${engine} ${name}: service ${each("serviceUs")} µs${database}, ${each("rows")} rows, ${each("bytes")} bytes${log}`,
  );
}

const seconds = workload.seconds(8);
const movements = {
  order: { path: "/api/v1/orders", body: benchOrder },
  withdrawal: {
    path: "/api/v1/withdrawals",
    body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 1 },
  },
};

async function bench(databaseUrl: string | undefined): Promise<void> {
  const engine = databaseUrl === undefined ? "sqlite" : "postgres";
  const certificate = await makeCertificate();
  const plain = await startBenchService(engine, databaseUrl, workload.orderableMachines);
  const { data } = plain;
  const others: Awaited<ReturnType<typeof addCustomer>>[] = [];
  for (let index = 1; index < values.customers; index += 1) {
    others.push(await addCustomer(plain, `bench${index}`));
  }
  const service = await startIronlease(databaseUrl, data, certificate);
  const target = { port: service.port, ca: certificate.ca };
  try {
    await withCore(data, databaseUrl, async (core) => {
      const subject = { core, serviceUs: () => processorUs([service.pid]) };
      const load = async (requests: readonly string[]) => {
        const [{ perSecond }] = await measure([{ ...target, requests }], { seconds });
        return perSecond * seconds;
      };
      const read = inAllSessions("GET /api/v1/servers HTTP/1.1", service.port, plain.cookies);
      await load(read);
      await report("list of servers", subject, () => load(read));
      for (const [name, { path, body }] of Object.entries(movements)) {
        const requests = [plain, ...others].map((customer) =>
          changeRequest({ ...customer, port: service.port }, path, body),
        );
        await load(requests);
        await report(name, subject, () => load(requests));
      }
    });
  } finally {
    await service.stop();
    await plain.stop();
  }
}

/** Without the service, whose own jobs would renew them first. */
async function benchJobs(databaseUrl: string | undefined): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-costs-"));
  await withCore(data, databaseUrl, async (core) => {
    const subject = { core, serviceUs: ownUs };
    await fillServers(core, "due", values.due, Math.ceil(values.due / 10));
    await makeDue(core);
    await report("renewal", subject, async () => (await renewDueServers(core)).counts.charged);
    for (const machines of overviewSizes) {
      await fillServers(core, `grown${machines}`, machines, 10);
      await readOverview(core);
      await report(`overview after ${machines} more machines`, subject, async () => {
        for (let reads = 0; reads < overviewReads; reads += 1) await readOverview(core);
        return overviewReads;
      });
    }
  });
  rmSync(data, { recursive: true, force: true });
}

if (values.engine !== "postgres") {
  await benchJobs(undefined);
  await bench(undefined);
}
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    for (const part of [benchJobs, bench]) {
      await runStatement(postgres.url, `create database ${databaseName}`);
      await part(urlOf(postgres.url, databaseName));
      await runStatement(postgres.url, `drop database ${databaseName} with (force)`);
    }
  } finally {
    await postgres.stop();
  }
}
