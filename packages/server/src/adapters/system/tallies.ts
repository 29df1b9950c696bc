import type { DatabaseTrouble } from "#ports/db.ts";
import type { CertificatePeriod, ListenerName, PassName } from "#ports/metrics.ts";
import { newHistogram, observe, type Histogram } from "./histogram.ts";

/** Upper bounds in seconds. A read takes about one millisecond, hashing a password about fifty. */
const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** The requests of one operation on one listener. */
export interface OperationTally {
  readonly listener: ListenerName;
  readonly operation: string;
  readonly byStatusClass: number[];
  readonly latency: Histogram;
}

export interface PassTally {
  runs: number;
  failures: number;
  lastSuccessAt: number;
  readonly done: Map<string, number>;
}

export interface ChainTally {
  height: number | undefined;
  credits: number;
  failures: number;
}

/** All counters of the process, as plain numbers. */
export interface Tallies {
  readonly operations: OperationTally[];
  readonly inFlight: Map<ListenerName, { count: number }>;
  readonly passes: Readonly<Record<PassName, PassTally>>;
  /** By network. */
  readonly chains: Map<string, ChainTally>;
  /** Empty without TLS. */
  readonly certificates: Map<ListenerName, CertificatePeriod>;
  readonly troubles: Record<DatabaseTrouble, number>;
}

export function newTallies(): Tallies {
  return {
    operations: [],
    inFlight: new Map(),
    passes: {
      settlement: newPass(),
      payouts: newPass(),
      reverse_dns: newPass(),
      renewals: newPass(),
      ledger_chain: newPass(),
      liabilities: newPass(),
      customer_funds: newPass(),
      hardware: newPass(),
      webhooks: newPass(),
      mail: newPass(),
      sweep: newPass(),
      certificate: newPass(),
    },
    chains: new Map(),
    certificates: new Map(),
    troubles: { unavailable: 0, overloaded: 0, retried: 0, connection_lost: 0, constraint: 0 },
  };
}

function newPass(): PassTally {
  return { runs: 0, failures: 0, lastSuccessAt: 0, done: new Map() };
}

export function newOperation(listener: ListenerName, operation: string): OperationTally {
  const byStatusClass = statusClasses.map(() => 0);
  return { listener, operation, byStatusClass, latency: newHistogram(latencyBounds) };
}

export function countAnswer(tally: OperationTally, status: number, seconds: number): void {
  const { byStatusClass, latency } = tally;
  const statusClass = Math.trunc(status / 100) - 1;
  byStatusClass[statusClass] = (byStatusClass[statusClass] ?? 0) + 1;
  observe(latency, seconds);
}
