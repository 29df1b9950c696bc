import { withCore } from "../../bench/support/rental.ts";
import { randomFrom } from "#test/random-from.ts";
import { populate } from "../load/populate.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { CallLog } from "./call-log.ts";
import { runCustomer, runOperator } from "./callers.ts";
import { Cluster } from "./cluster.ts";
import { findDiscrepancies } from "./discrepancies.ts";

export interface TrialOptions {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly customers: number;
  readonly pauseMs: number;
  readonly machines: number;
  /** Number of servers that come due during the run. */
  readonly renewals: number;
  readonly overMs: number;
  /** Restarts and kills instances while customers and an operator make calls. */
  readonly disturb: (cluster: Cluster, callLog: CallLog, random: () => number) => Promise<void>;
}

export interface TrialOutcome {
  readonly callLog: CallLog;
  readonly problems: readonly string[];
}

/** Puts three instances under load, disturbs them, and reports the problems found at the end. */
export async function runTrial(options: TrialOptions): Promise<TrialOutcome> {
  const { databaseUrl, seed, pauseMs, disturb } = options;
  const data = temporaryFolder();
  const random = randomFrom(seed);
  const callLog = new CallLog();
  const { customers, operator } = await withCore(data, databaseUrl, (core) =>
    populate(core, { ...options, accounts: options.customers }),
  );
  const cluster = await Cluster.start({
    IRONLEASE_DATA: data,
    IRONLEASE_DATABASE_URL: databaseUrl,
  });
  try {
    let isOver = false;
    const run = { cluster, callLog, random, pauseMs, shouldContinue: () => !isOver };
    const callers = [
      ...customers.map((customer) => runCustomer(run, customer)),
      runOperator(run, operator),
    ];
    try {
      await Promise.race([disturb(cluster, callLog, random), ...callers]);
    } finally {
      isOver = true;
      await Promise.all(callers);
    }
    const ids = customers.map(({ accountId }) => accountId);
    const discrepancies = await withCore(data, databaseUrl, ({ db }) =>
      findDiscrepancies(db, callLog, ids, options.renewals),
    );
    const { code, stdout } = await cluster.verify();
    const failures = [...callLog.failures].map(([name, times]) => `${name}, ${times} times`);
    return { callLog, problems: [...failures, ...discrepancies, ...(code === 0 ? [] : [stdout])] };
  } finally {
    await cluster.stop();
  }
}
