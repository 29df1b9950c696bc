import { readFileSync } from "node:fs";
import { engines, flag, oneOf, readOptions, whole } from "#test/command-options.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { benchChains } from "./chains.ts";
import { benchEvmChains } from "./evm-chains.ts";
import { benchGrowth } from "./growth.ts";
import { benchInstances } from "./instances.ts";
import { benchMonero } from "./monero.ts";
import { benchReads } from "./reads.ts";
import { benchRenewals } from "./renewals.ts";
import { benchStatements } from "./statements.ts";
import { startBenchService, type BenchService } from "./support/bench-service.ts";
import { startIronlease } from "./support/processes.ts";
import { benchTls } from "./tls.ts";
import { benchWebhooks } from "./webhooks.ts";
import { benchWrites } from "./writes.ts";
import { workload } from "./support/workload.ts";

const parts = [
  "idle",
  "reads",
  "tls",
  "writes",
  "instances",
  "renewals",
  "webhooks",
  "statements",
  "chains",
  "monero",
  "growth",
] as const;
const usage = `npm run bench -- [${parts.join("|")} …] [--engine sqlite|postgres] [--due 100000] [--brief]

Runs all benchmarks but monero, or the parts you name, on both engines or the one you name. Results are ratios of two
measurements in one run,
because absolute times on a shared machine vary too much.

  --engine  only on this engine
  --due N   the number of servers due for renewal
  --brief   only check that the benchmarks run; the ratios mean nothing`;

const { values, words } = readOptions(
  usage,
  { engine: oneOf(engines), due: whole(workload.dueServers), brief: flag },
  parts,
);
const wants = (part: (typeof parts)[number]) => words.length === 0 || words.includes(part);

async function bench(engine: string, databaseUrl: string | undefined): Promise<void> {
  const service = await startBenchService(engine, databaseUrl, workload.machines);
  try {
    if (wants("idle")) await benchIdle(service);
    if (wants("reads")) await benchReads(service);
    if (wants("tls")) await benchTls(service);
    if (wants("writes")) await benchWrites(engine, databaseUrl);
    if (wants("instances")) await benchInstances(service);
    if (wants("renewals")) await benchRenewals(service, values.due);
    if (wants("webhooks")) await benchWebhooks(service);
    if (wants("statements")) await benchStatements(service);
    if (wants("chains")) {
      await benchChains(service);
      await benchEvmChains(service);
    }
    if (words.includes("monero")) await benchMonero(service);
    if (wants("growth")) await benchGrowth(service);
  } finally {
    await service.stop();
  }
}

/** Measures the time from the start of the process to its first 200, and its memory when idle. */
async function benchIdle({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const starts: number[] = [];
  let memoryMb = 0;
  for (let round = 0; round < workload.starts; round += 1) {
    const again = await startIronlease(databaseUrl, data);
    starts.push(again.startMs);
    const status = readFileSync(`/proc/${again.pid}/status`, "utf8");
    memoryMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    await again.stop();
  }
  console.log(
    `${engine}: first 200 after ${Math.min(...starts).toFixed(0)} ms, ${memoryMb.toFixed(0)} MB when idle`,
  );
}

if (values.engine !== "postgres") await bench("sqlite", undefined);
if (values.engine !== "sqlite") {
  const postgres = await startPostgres();
  try {
    await bench("postgres", postgres.url);
  } finally {
    await postgres.stop();
  }
}
