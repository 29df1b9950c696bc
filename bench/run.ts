import { readFileSync } from "node:fs";
import { startPostgres } from "../test/support/postgres-server.ts";
import { benchGrowth } from "./growth.ts";
import { benchInstances } from "./instances.ts";
import { benchReads } from "./reads.ts";
import { benchRenewals } from "./renewals.ts";
import { startBenchService, type BenchService } from "./support/bench-service.ts";
import { startIronlease } from "./support/processes.ts";
import { benchTls } from "./tls.ts";
import { benchWrites } from "./writes.ts";
import { extent } from "./support/extent.ts";

/**
 * Everything that is measured, on both engines, printed as ratios of things measured in the same run:
 * these machines are noisy, and a number of seconds says more about the neighbours than about us.
 * `npm run bench -- reads` runs one part; `npm run bench -- renewals 10000` has fewer servers due;
 * `npm run bench -- --brief` only shows that everything still runs.
 */
const [part, size] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const wants = (name: string) => part === undefined || part === name;

async function bench(engine: string, databaseUrl: string | undefined): Promise<void> {
  const service = await startBenchService(engine, databaseUrl, extent.machines);
  try {
    if (wants("idle")) await benchIdle(service);
    if (wants("reads")) await benchReads(service);
    if (wants("tls")) await benchTls(service);
    if (wants("writes")) await benchWrites(engine, databaseUrl);
    if (wants("instances")) await benchInstances(service);
    if (wants("renewals")) await benchRenewals(service, Number(size ?? extent.dueServers));
    if (wants("growth")) await benchGrowth(service);
  } finally {
    await service.stop();
  }
}

/** From the start of the process to its first 200 on existing data, and what it takes when idle. */
async function benchIdle({ engine, data, databaseUrl }: BenchService): Promise<void> {
  const starts: number[] = [];
  let memoryMb = 0;
  for (let round = 0; round < 3; round += 1) {
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

await bench("sqlite", undefined);
const postgres = await startPostgres();
try {
  await bench("postgres", postgres.url);
} finally {
  await postgres.stop();
}
