import type { Core } from "#kernel/core.ts";
import { startRepeating, type RepeatingPass } from "#kernel/concurrency/interval-job.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import type { RenewalCounts } from "./renewal-counts.ts";

export interface RenewalReports {
  /** A pass is over: what it did, and how much went wrong. */
  readonly onPass: (counts: RenewalCounts, failures: number) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Renews from now on. What goes wrong with one server is reported and stops no other. */
export function startRenewals(
  core: Core,
  everyMs: number,
  { onPass, onFailure }: RenewalReports,
): RepeatingPass {
  return startRepeating(
    async (stop) => {
      const { counts, failures } = await renewDueServers(core, { stop });
      onPass(counts, failures.length);
      return failures;
    },
    everyMs,
    onFailure,
  );
}
