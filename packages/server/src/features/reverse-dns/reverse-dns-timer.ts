import type { Core } from "#kernel/core.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import { runReverseDns, type ReverseDnsPass } from "./run-pass.ts";

export interface ReverseDnsSchedule {
  readonly everyMs: number;
  readonly report: (error: unknown) => void;
  readonly onPass?: (pass: ReverseDnsPass) => void;
}

/** Publishes reverse DNS at an interval, and at once after a change in this instance. */
export function startReverseDns(
  core: Core,
  { everyMs, report, onPass }: ReverseDnsSchedule,
): readonly IntervalJob[] {
  const { reverseDns } = core;
  if (reverseDns === undefined) return [];
  const holder = core.random.bytes(16).toString("hex");
  const job = startIntervalJob(
    async (stop) => {
      const pass = await runReverseDns(core, reverseDns.dns, { holder, stop });
      onPass?.(pass);
      return pass.failures;
    },
    everyMs,
    report,
  );
  const forget = reverseDns.changes.subscribe(() => job.wake());
  return [
    {
      stop: () => {
        forget();
        return job.stop();
      },
    },
  ];
}
