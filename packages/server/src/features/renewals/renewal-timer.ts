import type { Core } from "#kernel/core.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import { tellLowBalances } from "./tell-low-balances.ts";
import type { RenewalCounts } from "./renewal-counts.ts";

export interface RenewalReports {
  /** Called after each pass with its counts and number of failures. */
  readonly onPass: (counts: RenewalCounts, failures: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Starts renewing. A failure of one server is reported and does not stop the others. */
export function startRenewals(
  core: Core,
  everyMs: number,
  { onPass, onFailure }: RenewalReports,
): IntervalJob {
  return startIntervalJob(
    async (stop) => {
      const { counts, failures } = await renewDueServers(core, { stop });
      onPass(counts, failures.length);
      // After the pass: a balance that has just paid for a renewal may not cover the next ones.
      await tellLowBalances(core, stop);
      return failures;
    },
    everyMs,
    onFailure,
  );
}
