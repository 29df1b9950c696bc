import type { Core } from "#kernel/core.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { SettlementPass } from "./settlement-pass.ts";
import { watchSettlement } from "./watch-settlement.ts";

/** Starts watching the networks. A failure of one network is reported and does not stop the others. */
export function startSettlementWatch(
  core: Core,
  report: (error: unknown) => void,
  everyMs: number,
  onPass: (pass: SettlementPass) => void = () => {},
): IntervalJob {
  return startIntervalJob(
    async (stop) => {
      const pass = await watchSettlement(core, stop);
      onPass(pass);
      return pass.failures;
    },
    everyMs,
    report,
  );
}
