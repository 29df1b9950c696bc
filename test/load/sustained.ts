import { sampleMetricsUntil, type ServiceMetrics } from "./metrics.ts";
import { closedLoop, openLoop } from "./loops.ts";
import type { TestBed } from "./test-bed.ts";
import { recordOutcome } from "./sender.ts";
import { formatPercentiles, Tally } from "./tally.ts";

export interface SustainedOptions {
  readonly perSecond: number;
  readonly intervals: number;
  readonly intervalSeconds: number;
  readonly log: (line: string) => void;
}

const concurrency = 64;
/** Caches fill in the first two intervals. After that, memory may vary but must not grow. */
const baselineInterval = 2;
const maxGrowth = 1.25;

/** Measures the maximum rate in a closed loop, after a warm-up of the same length. */
export async function measureMaximumRate(
  { sender }: TestBed,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly problems: readonly string[] }> {
  const warm = await closedLoop(sender, concurrency, seconds);
  const { perSecond, tally } = await closedLoop(sender, concurrency, seconds);
  tally.add(warm.tally);
  return { perSecond, problems: unexpectedOutcomes(tally, "at the maximum rate") };
}

/** Sends requests at a fixed mean rate in an open loop and reports latency and memory per interval. */
export async function sustain(
  testBed: TestBed,
  options: SustainedOptions,
): Promise<readonly string[]> {
  const { log, perSecond, intervals, intervalSeconds } = options;
  const { sender, daemon, random } = testBed;
  const total = new Tally();
  const metrics: ServiceMetrics[] = [];
  for (let interval = 0; interval < intervals; interval += 1) {
    const tally = new Tally();
    const overAt = performance.now() + intervalSeconds * 1000;
    const [sample] = await Promise.all([
      sampleMetricsUntil(daemon.sendToDesk, overAt),
      openLoop(
        sender,
        random,
        perSecond,
        () => performance.now() < overAt,
        (outcome) => recordOutcome(tally, outcome),
      ),
    ]);
    metrics.push(sample);
    total.add(tally);
    const { residentMb, heapMb, eventLoopP99Ms } = sample;
    log(`  ${interval + 1}: ${formatPercentiles(tally.percentiles())}`);
    log(
      `     ${residentMb.toFixed(0)} MB resident, ${heapMb.toFixed(0)} MB of heap after a collection, event loop p99 ${eventLoopP99Ms.toFixed(0)} ms`,
    );
  }
  log(`all: ${formatPercentiles(total.percentiles())}`);
  for (const kind of total.kinds) log(`  ${kind}: ${formatPercentiles(total.percentiles(kind))}`);
  return [...unexpectedOutcomes(total, "at the steady rate"), ...findGrowth(metrics, log)];
}

function findGrowth(
  metrics: readonly ServiceMetrics[],
  log: (line: string) => void,
): readonly string[] {
  const first = metrics[baselineInterval];
  const last = metrics.at(-1);
  if (first === undefined || last === undefined || first === last) return [];
  const resident = last.residentMb / first.residentMb;
  const heap = last.heapMb / first.heapMb;
  log(
    `memory at the end relative to interval ${baselineInterval + 1}: resident × ${resident.toFixed(2)}, heap × ${heap.toFixed(2)}`,
  );
  return Math.max(resident, heap) > maxGrowth ? ["memory has grown"] : [];
}

export function unexpectedOutcomes({ unexpected }: Tally, when: string): readonly string[] {
  return [...unexpected].map(([name, times]) => `${when}: ${name}, ${times} times`);
}
