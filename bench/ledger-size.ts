import { engines, flag, oneOf, readOptions, whole } from "#test/command-options.ts";
import { runIronleased } from "#test/daemon.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { addCustomer, startBenchService, type BenchService } from "./support/bench-service.ts";
import { lengthenLedger } from "./support/long-ledger.ts";
import { markdownTable } from "./support/markdown-table.ts";
import { median } from "./support/processes.ts";
import { withCore } from "./support/rental.ts";

const usage = `npm run bench:ledger -- [--first 10000] [--entries 1000000] [--engine sqlite|postgres] [--brief]

Fills the ledger of one customer, and measures what reads it at two sizes: verification, the statement, pages of the
history and the export. Prints a table with both times and their ratio.

  --first N    ledger entries at the first measurement
  --entries N  ledger entries at the second one
  --engine     only on this engine
  --brief      only check that it runs; the figures mean nothing`;

const { values } = readOptions(usage, {
  first: whole(10_000),
  entries: whole(1_000_000),
  engine: oneOf(engines),
  brief: flag,
});

/** A page takes milliseconds, so it is read several times. */
const pageReads = values.brief ? 2 : 50;

type Reader = () => Promise<number>;

/** Fills the ledger to both sizes, and returns a row for each read: its name, both times and their ratio. */
async function bench(service: BenchService): Promise<readonly (readonly string[])[]> {
  const { engine, data, databaseUrl } = service;
  const customer = await addCustomer(service, "ledger");
  // The customer's money was the first entry.
  let entries = 1;
  const timesOf = async (wanted: number) => {
    const missing = wanted - entries;
    await withCore(data, databaseUrl, (core) => lengthenLedger(core, customer.accountId, missing));
    entries = wanted;
    const times = new Map<string, number>();
    for (const [name, read] of Object.entries(await readers(service, customer.cookie))) {
      times.set(name, await read());
    }
    return times;
  };
  const [first, last] = [await timesOf(values.first), await timesOf(values.entries)];
  return [...first].map(([name, ms]) => {
    const then = last.get(name) ?? Number.NaN;
    return [`${engine} ${name}`, duration(ms), duration(then), `${(then / ms).toFixed(1)} ×`];
  });
}

async function readers(
  { port, data, databaseUrl }: BenchService,
  cookie: string,
): Promise<Readonly<Record<string, Reader>>> {
  const read = async (path: string) => {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
    let last = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) last = (last + decoder.decode(chunk)).slice(-20);
    if (!/\}\s*$/.test(last)) throw new Error(`${path} ended early: ${last}`);
    return performance.now() - startedAt;
  };
  const several = (path: string) => async () => {
    const times: number[] = [];
    for (let reads = 0; reads < pageReads; reads += 1) times.push(await read(path));
    return median(times);
  };
  const history = "/api/v1/ledger/entries";
  const middle = await withCore(data, databaseUrl, async ({ db }) => {
    const found = db.read
      .selectFrom("journal")
      .select("id")
      .orderBy("sequence")
      .offset(Math.floor(values.first / 2))
      .limit(1);
    return (await found.executeTakeFirstOrThrow()).id;
  });
  return {
    "newest page of the history": several(history),
    "older page of the history": several(`${history}?after=${middle}`),
    "page of one type": several(`${history}?type=ADJUSTMENT`),
    statement: () => read("/api/v1/statement"),
    "account export": () => read("/api/v1/account-export"),
    "ironleased verify": () => verify(data, databaseUrl),
  };
}

async function verify(data: string, databaseUrl: string | undefined): Promise<number> {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await runIronleased(["verify"], {
    IRONLEASE_DATA: data,
    ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
  });
  if (code !== 0) throw new Error(`ironleased verify failed: ${stdout}${stderr}`);
  return performance.now() - startedAt;
}

const duration = (ms: number) =>
  ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;

async function benchOn(engine: string, databaseUrl: string | undefined) {
  const service = await startBenchService(engine, databaseUrl, 1);
  try {
    return await bench(service);
  } finally {
    await service.stop();
  }
}

const rows: (readonly string[])[] = [];
if (values.engine !== "postgres") rows.push(...(await benchOn("sqlite", undefined)));
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    rows.push(...(await benchOn("postgres", postgres.url)));
  } finally {
    await postgres.stop();
  }
}
const sizes = [values.first, values.entries].map((size) => `${size.toLocaleString("en")} entries`);
console.log(markdownTable([["Read", ...sizes, "Ratio"], ...rows]));
