import { setTimeout as delay } from "node:timers/promises";
import type { Send } from "#test/https-client.ts";

/** A sample of the service's own metrics. */
export interface ServiceMetrics {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly eventLoopP99Ms: number;
  /** Time of each pass's last success, in seconds since the epoch. */
  readonly lastPasses: Readonly<Record<string, number>>;
}

const sampleMs = 5_000;
const mb = 1024 * 1024;

export async function readMetrics(sendToDesk: Send): Promise<ServiceMetrics> {
  const { text } = await sendToDesk("GET", "/metrics");
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  const pass = (name: string) =>
    value(`ironlease_pass_last_success_timestamp_seconds\\{pass="${name}"\\}`);
  return {
    residentMb: value("process_resident_memory_bytes") / mb,
    heapMb: value("nodejs_heap_size_used_bytes") / mb,
    eventLoopP99Ms: value("nodejs_eventloop_lag_p99_seconds") * 1000,
    lastPasses: { settlement: pass("settlement"), renewals: pass("renewals") },
  };
}

/** Samples until `overAt`. Returns mean resident memory, lowest heap size and highest event-loop delay. */
export async function sampleMetricsUntil(
  sendToDesk: Send,
  overAt: number,
): Promise<ServiceMetrics> {
  const samples: ServiceMetrics[] = [];
  do {
    samples.push(await readMetrics(sendToDesk));
    await delay(Math.max(0, Math.min(sampleMs, overAt - performance.now())));
  } while (performance.now() < overAt);
  const totalResidentMb = samples.reduce((sum, sample) => sum + sample.residentMb, 0);
  return {
    residentMb: totalResidentMb / samples.length,
    // The lowest sample is closest to the heap after a collection. The mean is mostly garbage.
    heapMb: Math.min(...samples.map((sample) => sample.heapMb)),
    eventLoopP99Ms: Math.max(...samples.map((sample) => sample.eventLoopP99Ms)),
    lastPasses: samples.at(-1)?.lastPasses ?? {},
  };
}
