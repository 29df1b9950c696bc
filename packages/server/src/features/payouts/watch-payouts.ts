import { sql } from "kysely";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import type { Chain } from "#ports/settlement.ts";
import { lapsePayouts } from "./cancel-payout.ts";
import { followPayout } from "./follow-payout.ts";
import { recordWallet } from "./record-wallet.ts";

/** What one pass over the payouts did. */
export interface PayoutPass {
  lapsed: number;
  confirmed: number;
  failed: number;
  /** Errors. None of them stops the pass, and the next pass retries. */
  readonly failures: unknown[];
}

const mostPayouts = 100;

/**
 * Follows every payout that was broadcast until it is confirmed or has failed, and sends it again if the network has
 * forgotten it. Any number of instances may do so at once: each change is conditional on the payout's state.
 */
export async function watchPayouts(core: Core, only?: Chain): Promise<PayoutPass> {
  const pass: PayoutPass = { lapsed: 0, confirmed: 0, failed: 0, failures: [] };
  const chains = (core.settlement?.chains ?? []).filter(
    (chain) => chain.payouts !== undefined && (only === undefined || chain === only),
  );
  for (const chain of chains) {
    await attempt(pass, async () => {
      pass.lapsed += await lapsePayouts(core, chain.network);
      for (const { id } of await sentPayouts(core, chain.network)) {
        await attempt(pass, async () => {
          const end = await followPayout(core, chain, id);
          if (end === "CONFIRMED") pass.confirmed += 1;
          if (end === "FAILED") pass.failed += 1;
        });
      }
      await recordWallet(core, chain);
    });
  }
  return pass;
}

/** A failure of one payout does not stop the others. An unavailable database stops the pass. */
async function attempt(pass: PayoutPass, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DatabaseUnavailable && pass.failures.length > 0) return;
    pass.failures.push(error);
  }
}

function sentPayouts({ db }: Core, network: string) {
  return db.read
    .selectFrom("payouts")
    .select("id")
    .where("network", "=", network)
    .where(sql<boolean>`state in ('PREPARED', 'SIGNED', 'BROADCAST')`)
    .where("state", "=", "BROADCAST")
    .orderBy("id")
    .limit(mostPayouts)
    .execute();
}

/** Starts watching the payouts of every chain in its own job, so that a hanging node does not delay the others. */
export function startPayoutWatch(
  core: Core,
  schedule: {
    readonly everyMs: number;
    readonly report: (error: unknown) => void;
    readonly onPass: (pass: PayoutPass) => void;
  },
): readonly IntervalJob[] {
  const chains = core.settlement?.chains.filter(({ payouts }) => payouts !== undefined) ?? [];
  return chains.map((chain) =>
    startIntervalJob(
      async () => {
        const pass = await watchPayouts(core, chain);
        schedule.onPass(pass);
        return pass.failures;
      },
      schedule.everyMs,
      schedule.report,
    ),
  );
}
