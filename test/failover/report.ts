import { describeKill } from "../power-cuts/report.ts";
import { problemsOfControl, type Control } from "./control.ts";
import type { Restore } from "./restore.ts";
import type { FaultRun } from "./run-faults.ts";

export function describeRun(run: FaultRun): string {
  const outage = `${seconds(run.outageMs)} without a write`;
  const what = run.isFailover ? "another primary" : "the same primary";
  return `  ${what}, ${outage}\n  ${describeKill(run)}`;
}

/** How long failovers took, and counts. */
export function describeRuns(
  runs: readonly FaultRun[],
  statuses: ReadonlyMap<number, number>,
): string {
  const times = runs.filter(({ isFailover }) => isFailover).map(({ outageMs }) => outageMs);
  const acknowledged = runs.reduce((sum, run) => sum + run.acknowledged, 0);
  const answers = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`);
  return [
    `${runs.length} faults, ${times.length} failovers; ${acknowledged} acknowledged changes checked`,
    `  time without a write in a failover: median ${seconds(median(times))}, longest ${seconds(Math.max(0, ...times))}`,
    `  answers: ${answers.join(", ")}`,
  ].join("\n");
}

export function describeRestore({ kept, undone, problems }: Restore): string {
  const what = `point-in-time restore: ${kept} changes kept, ${undone} later ones undone`;
  return [what, ...problems.map((problem) => `  ${problem}`)].join("\n");
}

export function describeControl(control: Control): string {
  const { acknowledged, lost } = control;
  return [
    `control, with asynchronous replication: ${lost.length} facts of ${acknowledged} acknowledged changes are lost`,
    ...problemsOfControl(control),
  ].join("\n");
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
