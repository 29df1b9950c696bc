import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { engines, flag, oneOf, readOptions, text, whole } from "#test/command-options.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { databaseUrl, runStatement } from "#test/template-database.ts";
import * as ours from "./support/bench-service.ts";
import { measure, median, type Measured } from "./support/processes.ts";
import { benchOrder } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const usage = `npm run bench:against -- --checkout ../before [--engine sqlite|postgres] [--customers 8] [--rounds 5] [--brief]

Places orders and withdrawals with this version and with another one, in alternating slices of a tenth of a second.
Prints the time and the CPU time of this version as a multiple of the other's. The CPU time is that of the service,
without PostgreSQL.

  --checkout     a folder with the other version and its node_modules
  --engine       only on this engine
  --customers N  customers who share the requests; with one, they all wait for one balance
  --rounds N     measurements, of which the median counts
  --brief        only check that it runs; the ratios mean nothing`;

const { values } = readOptions(usage, {
  checkout: text,
  engine: oneOf(engines),
  customers: whole(8),
  rounds: whole(5),
  brief: flag,
});
const { checkout = ".", customers, rounds } = values;
const seconds = workload.seconds(3);
/** More than a version can order in a second. */
const ordersPerSecond = 5_000;
/** For the orders of the warm-up and of every round. */
const machines = Math.ceil((1 + rounds) * seconds * ordersPerSecond);

/** The other version's own benchmark starts its service, so that each fills a database of its own schema. */
const other = pathToFileURL(resolve(checkout, "bench/support/bench-service.ts")).href;
const theirs = (await import(other)) as typeof ours;

const movements = {
  placeOrder: { path: "/api/v1/orders", body: benchOrder },
  requestWithdrawal: {
    path: "/api/v1/withdrawals",
    body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 1 },
  },
};

async function start(bench: typeof ours, engine: string, url: string | undefined) {
  const service = await bench.startBenchService(engine, url, machines);
  const others: Awaited<ReturnType<typeof bench.addCustomer>>[] = [];
  for (let index = 1; index < customers; index += 1) {
    others.push(await bench.addCustomer(service, `bench${index}`));
  }
  const requests = (path: string, body: object) =>
    [service, ...others].map((customer) => bench.changeRequest(customer, path, body));
  return { service, requests };
}

type Started = Awaited<ReturnType<typeof start>>;

async function compare(engine: string, now: Started, before: Started): Promise<void> {
  for (const [operation, { path, body }] of Object.entries(movements)) {
    const targets = [now, before].map(({ service, requests }) => ({
      port: service.port,
      requests: requests(path, body),
    }));
    await measure(targets, { seconds });
    const times: number[] = [];
    const cpuTimes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const cpuBefore = [now, before].map(({ service }) => cpuMs(service.pid));
      const [first, second] = (await measure(targets, { seconds })) as [Measured, Measured];
      const cpu = [now, before].map(
        ({ service }, index) => cpuMs(service.pid) - (cpuBefore[index] ?? 0),
      );
      times.push(second.perSecond / first.perSecond);
      cpuTimes.push(((cpu[0] ?? 0) / first.perSecond) * (second.perSecond / (cpu[1] ?? 1)));
    }
    console.log(
      `${engine} ${operation}: ${median(times).toFixed(2)} × the time, ${median(cpuTimes).toFixed(2)} × the CPU time`,
    );
  }
}

/** CPU time of a process so far. Linux counts it in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function run(engine: string, urls: readonly (string | undefined)[]): Promise<void> {
  const now = await start(ours, engine, urls[0]);
  try {
    const before = await start(theirs, engine, urls[1]);
    try {
      await compare(engine, now, before);
    } finally {
      await before.service.stop();
    }
  } finally {
    await now.service.stop();
  }
}

if (values.engine !== "postgres") await run("sqlite", []);
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    await runStatement(postgres.url, "create database before");
    await run("postgres", [postgres.url, databaseUrl(postgres.url, "before")]);
  } finally {
    await postgres.stop();
  }
}
