import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sumCustomerFunds } from "#server/features/overview/customer-funds.ts";
import { readOverview } from "#server/features/overview/read-overview.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
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
import { markdownTable } from "./support/markdown-table.ts";
import { measure, startIronlease } from "./support/processes.ts";
import { benchOrder, withCore } from "./support/rental.ts";
import { costsDatabase, ownUs, processorUs, usedBy, type Used } from "./support/used.ts";
import { workload } from "./support/workload.ts";

const usage = `npm run bench:costs -- [--engine sqlite|postgres] [--customers 8] [--due 5000] [--brief]

Prints what one operation costs, as the table of docs/scale.md: processor time of the service and of PostgreSQL, rows,
and bytes in the database and in the write-ahead log. Processor time hardly depends on what else the machine does.

  --engine       only on this engine
  --customers N  customers who share the requests
  --due N        servers that are renewed
  --brief        only check that it runs; the figures mean nothing`;

const { values } = readOptions(usage, {
  engine: oneOf(engines),
  customers: whole(workload.costCustomers),
  due: whole(Math.ceil(workload.dueServers / 20)),
  brief: flag,
});
const overviewSizes = workload.overviewSizes;
const overviewReads = 20;
const seconds = workload.seconds(8);

/** What one operation costs, by its name and the engine. */
const costs = new Map<string, Partial<Record<Engine, Used>>>();

/** Runs the work, which returns how many operations it made, and keeps what one of them cost. */
async function record(
  name: string,
  core: Core,
  serviceUs: () => number,
  work: () => Promise<number>,
): Promise<void> {
  const before = await usedBy(core, serviceUs);
  const count = await work();
  const after = await usedBy(core, serviceUs);
  const each = (field: keyof Used) => (after[field] - before[field]) / count;
  costs.set(name, {
    ...costs.get(name),
    [core.db.engine]: {
      serviceUs: each("serviceUs"),
      databaseUs: each("databaseUs"),
      rows: each("rows"),
      bytes: each("bytes"),
      logBytes: each("logBytes"),
    },
  });
}

const movements = {
  "Order over TLS": { path: "/api/v1/orders", body: benchOrder },
  "Withdrawal over TLS": {
    path: "/api/v1/withdrawals",
    body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 1 },
  },
};

async function benchRequests(databaseUrl: string | undefined): Promise<void> {
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
      const serviceUs = () => processorUs([service.pid]);
      const load = async (requests: readonly string[]) => {
        const [{ perSecond }] = await measure([{ ...target, requests }], { seconds });
        return perSecond * seconds;
      };
      const read = inAllSessions("GET /api/v1/servers HTTP/1.1", service.port, plain.cookies);
      await load(read);
      await record("List of servers over TLS", core, serviceUs, () => load(read));
      for (const [name, { path, body }] of Object.entries(movements)) {
        const requests = [plain, ...others].map((customer) =>
          changeRequest({ ...customer, port: service.port }, path, body),
        );
        await load(requests);
        await record(name, core, serviceUs, () => load(requests));
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
    await fillServers(core, "due", values.due, Math.ceil(values.due / 10));
    await makeDue(core);
    await record("Renewal", core, ownUs, async () => (await renewDueServers(core)).counts.charged);
  });
  for (const size of overviewSizes) {
    await withCore(data, databaseUrl, async (core) => {
      await fillServers(core, `grown${size}`, size, size);
      const among = `${size.toLocaleString("en")} more machines and accounts`;
      const often = (read: () => Promise<unknown>) => async () => {
        for (let reads = 0; reads < overviewReads; reads += 1) await read();
        return overviewReads;
      };
      await readOverview(core);
      await record(
        `Overview, ${among}`,
        core,
        ownUs,
        often(() => readOverview(core)),
      );
      await record(
        `Sum of all balances, ${among}`,
        core,
        ownUs,
        often(() => sumCustomerFunds(core)),
      );
    });
  }
  rmSync(data, { recursive: true, force: true });
}

const rounded = (figure: number | undefined) =>
  figure === undefined ? "–" : Math.round(figure).toLocaleString("en");

function printTable(): void {
  const rows = [...costs].map(([name, { sqlite, postgres }]) => [
    name,
    `${rounded(sqlite?.serviceUs)} µs`,
    `${rounded(postgres?.serviceUs)} + ${rounded(postgres?.databaseUs)} µs`,
    rounded((sqlite ?? postgres)?.rows),
    rounded(sqlite?.bytes),
    rounded(postgres?.bytes),
    rounded(postgres?.logBytes),
  ]);
  const titles = [
    ...["Operation", "SQLite: service", "PostgreSQL: service + database", "Rows"],
    ...["Bytes, SQLite", "Bytes, PostgreSQL", "Bytes of its log"],
  ];
  console.log(markdownTable([titles, ...rows]));
}

const parts = [benchRequests, benchJobs];
if (values.engine !== "postgres") for (const part of parts) await part(undefined);
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    for (const part of parts) {
      await runStatement(postgres.url, `create database ${costsDatabase}`);
      await part(urlOf(postgres.url, costsDatabase));
      await runStatement(postgres.url, `drop database ${costsDatabase} with (force)`);
    }
  } finally {
    await postgres.stop();
  }
}
printTable();
