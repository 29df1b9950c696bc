import type { Core } from "#kernel/core.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { Chain, Settlement } from "#ports/settlement.ts";
import { releaseChain } from "./chain-cursor.ts";
import type { SettlementPass } from "./settlement-pass.ts";
import { watchChain } from "./watch-settlement.ts";

/** How the passes run and whom they tell. */
export interface WatchSchedule {
  readonly everyMs: number;
  readonly report: (error: unknown) => void;
  readonly onPass?: (pass: SettlementPass, network: string) => void;
}

/** Starts watching every chain in its own job, so that a hanging node does not delay the others. */
export function startSettlementWatch(core: Core, schedule: WatchSchedule): readonly IntervalJob[] {
  const { settlement } = core;
  if (settlement === undefined) return [];
  const holder = core.random.bytes(16).toString("hex");
  return settlement.chains.map((chain) =>
    startWatch({ core, settlement, holder }, chain, schedule),
  );
}

interface Watcher {
  readonly core: Core;
  readonly settlement: Settlement;
  readonly holder: string;
}

function startWatch(
  { core, settlement: { mode }, holder }: Watcher,
  chain: Chain,
  { everyMs, report, onPass }: WatchSchedule,
): IntervalJob {
  const job = startIntervalJob(
    async (stop) => {
      const pass = await watchChain(core, chain, { stop, holder });
      onPass?.(pass, chain.network);
      return pass.failures;
    },
    everyMs,
    report,
  );
  return {
    stop: async () => {
      await job.stop();
      // Without this, the next instance waits until the lease expires.
      await releaseChain(core, { mode, network: chain.network }, holder).catch(report);
    },
  };
}
