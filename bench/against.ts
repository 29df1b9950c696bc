import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { engines, flag, oneOf, readOptions, text, whole } from "#test/command-options.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { databaseUrl, runStatement } from "#test/template-database.ts";
import * as ours from "./support/bench-service.ts";
import { measure, median, type Measured } from "./support/processes.ts";
import { benchOrder } from "./support/rental.ts";
import { backendsOf, processorUs } from "./support/used.ts";
import { workload } from "./support/workload.ts";

const usage = `npm run bench:against -- --checkout ../before [--engine sqlite|postgres] [--customers 8] [--rounds 5] [--brief]

Places orders and withdrawals with this version and with another one, in alternating slices of a tenth of a second.
Prints the time and the CPU time of this version as a multiple of the other's: of the service, and of PostgreSQL.

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
const ordersPerSecond = 2_000;
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

interface Setup {
  readonly url: string;
  /** The name of the database, to find PostgreSQL's processes for it. */
  readonly database: string;
}

async function start(bench: typeof ours, engine: string, setup: Setup | undefined) {
  const service = await bench.startBenchService(engine, setup?.url, machines);
  const others: Awaited<ReturnType<typeof bench.addCustomer>>[] = [];
  for (let index = 1; index < customers; index += 1) {
    others.push(await bench.addCustomer(service, `bench${index}`));
  }
  const requests = (path: string, body: object) =>
    [service, ...others].map((customer) => bench.changeRequest(customer, path, body));
  /** Processor time so far. The pool keeps its connections while it is under load. */
  const used = () => ({
    service: processorUs([service.pid]),
    database: setup === undefined ? 0 : processorUs(backendsOf(setup.database)),
  });
  return { service, requests, used };
}

type Started = Awaited<ReturnType<typeof start>>;
type Used = ReturnType<Started["used"]>;

async function compare(engine: string, now: Started, before: Started): Promise<void> {
  for (const [operation, { path, body }] of Object.entries(movements)) {
    const targets = [now, before].map(({ service, requests }) => ({
      port: service.port,
      requests: requests(path, body),
    }));
    await measure(targets, { seconds });
    const times: number[] = [];
    const ratios: Record<keyof Used, number[]> = { service: [], database: [] };
    for (let round = 0; round < rounds; round += 1) {
      const [nowAtFirst, beforeAtFirst] = [now.used(), before.used()];
      const [first, second] = (await measure(targets, { seconds })) as [Measured, Measured];
      const [nowAtLast, beforeAtLast] = [now.used(), before.used()];
      times.push(second.perSecond / first.perSecond);
      for (const part of ["service", "database"] as const) {
        const [us, usBefore] = [
          nowAtLast[part] - nowAtFirst[part],
          beforeAtLast[part] - beforeAtFirst[part],
        ];
        ratios[part].push((us / first.perSecond) * (second.perSecond / usBefore));
      }
    }
    const cpu = `${median(ratios.service).toFixed(2)} × the CPU time`;
    const ofPostgres = `, ${median(ratios.database).toFixed(2)} × that of PostgreSQL`;
    console.log(
      `${engine} ${operation}: ${median(times).toFixed(2)} × the time, ${cpu}${engine === "postgres" ? ofPostgres : ""}`,
    );
  }
}

async function run(engine: string, setups: readonly (Setup | undefined)[]): Promise<void> {
  const now = await start(ours, engine, setups[0]);
  try {
    const before = await start(theirs, engine, setups[1]);
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
    const setups: Setup[] = [];
    for (const database of ["ironlease_now", "ironlease_before"]) {
      await runStatement(postgres.url, `create database ${database}`);
      setups.push({ url: databaseUrl(postgres.url, database), database });
    }
    await run("postgres", setups);
  } finally {
    await postgres.stop();
  }
}
