import type { DatabaseTrouble } from "#ports/db.ts";
import type { ListenerName, PassName } from "#ports/metrics.ts";

/** Upper bounds in seconds: a read takes about one millisecond, a hashed password about fifty. */
export const latencyBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** 1xx to 5xx. */
export const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** What one operation of one listener was asked for. */
export interface OperationTally {
  readonly listener: ListenerName;
  readonly operation: string;
  readonly byStatusClass: number[];
  /** By latency; the last one is for what took longer than every bound. */
  readonly byLatency: number[];
  totalSeconds: number;
}

export interface PassTally {
  runs: number;
  failures: number;
  lastSuccessAt: number;
  readonly done: Map<string, number>;
}

/** Everything that the process counts itself, as plain numbers. */
export interface Tallies {
  readonly operations: OperationTally[];
  readonly underWay: Map<ListenerName, { count: number }>;
  readonly passes: Readonly<Record<PassName, PassTally>>;
  readonly troubles: Map<DatabaseTrouble, number>;
}
