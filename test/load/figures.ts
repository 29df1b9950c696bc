import { setTimeout as delay } from "node:timers/promises";
import type { Send } from "#test/https-client.ts";

/** What the service says of itself at one moment. */
export interface Figures {
  readonly residentMb: number;
  readonly heapMb: number;
  readonly eventLoopP99Ms: number;
  /** When each pass last went well, in seconds. */
  readonly lastPasses: Readonly<Record<string, number>>;
}

const sampleMs = 5_000;
const mb = 1024 * 1024;

export async function readFigures(sendToDesk: Send): Promise<Figures> {
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

/** Looks every few seconds until it is told to stop, and gives the mean memory and the worst delay. */
export async function averageUntil(sendToDesk: Send, overAt: number): Promise<Figures> {
  const seen: Figures[] = [];
  do {
    seen.push(await readFigures(sendToDesk));
    await delay(Math.max(0, Math.min(sampleMs, overAt - performance.now())));
  } while (performance.now() < overAt);
  const mean = (of: (one: Figures) => number) =>
    seen.reduce((sum, one) => sum + of(one), 0) / seen.length;
  return {
    residentMb: mean((one) => one.residentMb),
    // The lowest is what is left after a collection; the mean is mostly garbage.
    heapMb: Math.min(...seen.map((one) => one.heapMb)),
    eventLoopP99Ms: Math.max(...seen.map((one) => one.eventLoopP99Ms)),
    lastPasses: seen.at(-1)?.lastPasses ?? {},
  };
}
