import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Pacer } from "#ports/pacer.ts";

/** Limits the pause, because other work also keeps the event loop busy and must not stall the batches. */
const maxPauseMs = 50;

/** After each batch, leaves the event loop to requests for as long as it was busy during the batch. */
export const eventLoopPacer: Pacer = () => {
  const before = performance.eventLoopUtilization();
  return async () => {
    const busyMs = performance.eventLoopUtilization(before).active;
    await setTimeout(Math.min(busyMs, maxPauseMs));
  };
};
