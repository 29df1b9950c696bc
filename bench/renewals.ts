import { setTimeout } from "node:timers/promises";
import type { Core } from "#server/kernel/core.ts";
import type { BenchService } from "./support/bench-service.ts";
import { fillServers, makeDue, renewedSoFar } from "./support/due-servers.ts";
import { kindNames, latenciesDuring, p99, type Latencies } from "./support/paced-load.ts";
import { withCore } from "./support/rental.ts";
import { workload } from "./support/workload.ts";

const calmSeconds = workload.seconds(15);

/**
 * Measures a renewal pass in the running service: servers renewed per second, and the p99 latency of
 * customers during the pass as a multiple of their latency without it.
 */
export async function benchRenewals(service: BenchService, servers: number): Promise<void> {
  const { data, databaseUrl } = service;
  await withCore(data, databaseUrl, async (core) => {
    await fillServers(core, "due", servers, 10_000);
    const calm = () => latenciesDuring(service, () => setTimeout(calmSeconds * 1_000));
    await calm();
    const before = await calm();
    await makeDue(core);
    await until(core, "some");
    let elapsedMs = 0;
    const during = await latenciesDuring(service, async () => {
      const startedAt = performance.now();
      await until(core, "all");
      elapsedMs = performance.now() - startedAt;
    });
    report(service.engine, servers, elapsedMs, { before, during, after: await calm() });
  });
}

async function until(core: Core, wanted: "some" | "all"): Promise<void> {
  for (;;) {
    const renewed = await renewedSoFar(core);
    if (renewed === wanted || renewed === "all") return;
    await setTimeout(wanted === "some" ? 5 : 100);
  }
}

interface Phases {
  readonly before: Latencies;
  readonly during: Latencies;
  readonly after: Latencies;
}

function report(engine: string, servers: number, elapsedMs: number, phases: Phases): void {
  const { before, during, after } = phases;
  const perSecond = (servers / elapsedMs) * 1_000;
  const ratios = kindNames.map((kind) => {
    const without = p99([...before[kind], ...after[kind]]);
    const meanwhile = p99(during[kind]);
    const times = (meanwhile / without).toFixed(1);
    return `${kind} ${times} × (${without.toFixed(1)} to ${meanwhile.toFixed(1)} ms)`;
  });
  console.log(
    `${engine} renewals: ${perSecond.toFixed(0)} servers a second; p99 during the pass: ${ratios.join(", ")}`,
  );
}
