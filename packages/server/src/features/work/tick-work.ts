import type { OperatorCall } from "#kernel/call.ts";
import type { Tick } from "#kernel/checklists.ts";
import type { Core } from "#kernel/core.ts";
import { refuse } from "#kernel/result.ts";
import { setTicks } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
import { lockHeld } from "./lease.ts";
import { linesOf } from "./read-checklist.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

interface TickInput {
  readonly workId: string;
  readonly line: string;
  readonly ticked: boolean;
}

/** Ticks a line of an item's checklist, or clears it. Repeating it changes nothing: the first tick stays. */
export function tickWork(
  core: Core,
  call: OperatorCall,
  { workId, line, ticked }: TickInput,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const held = await lockHeld({ tx, core, call, item: item.value });
    if (!held.ok) return held;
    const job = held.value;
    const { kind } = job.item;
    const lines = await linesOf(tx, { kind, detail: job.detail });
    if (!lines.includes(line)) {
      return refuse("conflict", {
        message: "The checklist has no such line. It may have changed: read the item again.",
      });
    }
    if (job.ticks.some((tick) => tick.line === line) !== ticked) {
      const { username } = call.operator;
      const others = job.ticks.filter((tick) => tick.line !== line && lines.includes(tick.line));
      const ticks: readonly Tick[] = ticked
        ? [...others, { line, username, at: core.clock.now() }]
        : others;
      await setTicks(tx, workId, JSON.stringify(ticks));
      await recordStep(job, ticked ? "work.tick" : "work.untick", { line });
    }
    return readWork(core, workId, tx);
  });
}
