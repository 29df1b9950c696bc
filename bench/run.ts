import { readFileSync } from "node:fs";
import { startPostgres } from "../test/support/postgres-server.ts";
import { benchGrowth } from "./growth.ts";
import { benchOrders } from "./orders.ts";
import { benchReads } from "./reads.ts";
import { benchRenewals } from "./renewals.ts";
import { startBenchService, type BenchService } from "./support/bench-service.ts";
import { startIronlease } from "./support/processes.ts";
import { benchOrder } from "./support/rental.ts";

/**
 * Everything that is measured, on both engines, printed as ratios of things measured in the same run:
 * these machines are noisy, and a number of seconds says more about the neighbours than about us.
 * `npm run bench -- reads` runs one part; `npm run bench -- renewals 10000` has fewer servers due.
 */
const part = process.argv[2];
const wants = (name: string) => part === undefined || part === name;

async function bench(engine: string, databaseUrl: string | undefined): Promise<void> {
  const service = await startBenchService(engine, databaseUrl, 100_000);
  try {
    if (wants("idle")) await benchIdle(service);
    if (wants("reads")) {
      await benchReads(service, ["/api/v1/me", "/api/v1/sessions"]);
      await orderSome(service, 5);
      await benchReads(service, ["/api/v1/servers"]);
      await orderSome(service, 120);
      await benchReads(service, ["/api/v1/ledger"]);
    }
    if (wants("orders")) await benchOrders(service);
    if (wants("renewals")) await benchRenewals(service, Number(process.argv[3] ?? 100_000));
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

async function orderSome(service: BenchService, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/orders`, {
      method: "POST",
      headers: {
        cookie: service.cookie,
        "x-csrf-token": service.csrfToken,
        "content-type": "application/json",
        "idempotency-key": `some-${Date.now()}-${done}`,
      },
      body: JSON.stringify(benchOrder),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
}

await bench("sqlite", undefined);
const postgres = await startPostgres();
try {
  await bench("postgres", postgres.url);
} finally {
  await postgres.stop();
}
