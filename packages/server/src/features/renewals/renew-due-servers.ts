import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { beforeAll, isBefore, type DuePlace } from "./due-server.ts";
import { readDue } from "./find-due.ts";
import { renewBatch, RenewalFailed, type RenewedBatch } from "./renew-batch.ts";
import { noRenewals, withStep, type RenewalCounts } from "./renewal-counts.ts";
import type { RenewalStep } from "./renewal-step.ts";

/** What one pass did, and its failures, which the next pass retries. */
export interface RenewalPass {
  readonly counts: RenewalCounts;
  readonly failures: readonly unknown[];
}

export interface RenewalOptions {
  /** Renews what is due by then. Entries are recorded at the present time. */
  readonly asOf?: number;
  readonly stop?: AbortSignal;
  /** Called for each step once it is committed, in order. */
  readonly onStep?: (step: RenewalStep) => void;
}

/** So many failures mean that something else is wrong, so the pass gives up. */
const maxFailures = 100;
/** Bounds a pass even if more and more becomes due. The next pass continues. */
const maxBatches = 1_000_000;

/**
 * Renews what is due, in one scan by due time and in small transactions. Any number of instances may run this at once
 * and stop at any point. Accounts that another transaction holds are skipped and retried at the end, in case that was
 * not another pass.
 */
export async function renewDueServers(
  core: Core,
  options: RenewalOptions = {},
): Promise<RenewalPass> {
  const pass = new Pass(core, options);
  try {
    const firstLeftOut = await pass.scan(beforeAll, false);
    if (firstLeftOut !== undefined) await pass.scan(firstLeftOut, true);
  } catch (error) {
    pass.failures.push(error);
  }
  return { counts: pass.counts, failures: pass.failures };
}

class Pass {
  counts: RenewalCounts = noRenewals;
  readonly failures: unknown[] = [];
  readonly #core: Core;
  readonly #options: RenewalOptions;
  readonly #now: number;
  readonly #broken = new Set<string>();
  #batches = 0;

  constructor(core: Core, options: RenewalOptions) {
    this.#core = core;
    this.#options = options;
    this.#now = options.asOf ?? core.clock.now();
  }

  /** Renews everything due after that position. Returns the position before the first skipped account. */
  async scan(after: DuePlace, isPatient: boolean): Promise<DuePlace | undefined> {
    let firstLeftOut: DuePlace | undefined;
    let place = after;
    while (this.#goesOn()) {
      const pause = this.#core.pacer?.();
      const due = await readDue(this.#core.db.read, this.#now, place);
      const last = due.at(-1);
      if (last === undefined) break;
      const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
      const renewed = await this.#renew(accountIds, last, isPatient);
      if (renewed.leftOut > 0) firstLeftOut ??= place;
      // When servers from before this position filled the batch, the page is read again.
      if (isBefore(place, renewed.doneUpTo)) place = renewed.doneUpTo;
      else if (renewed.steps.length === 0) place = last;
      await pause?.();
    }
    return firstLeftOut;
  }

  #goesOn(): boolean {
    this.#batches += 1;
    const isStopped = this.#options.stop?.aborted === true;
    return !isStopped && this.#batches <= maxBatches && this.failures.length < maxFailures;
  }

  /** A server whose renewal fails is reported and skipped. The rest of the batch goes on. */
  async #renew(
    accountIds: readonly string[],
    last: DuePlace,
    isPatient: boolean,
  ): Promise<RenewedBatch> {
    while (this.failures.length < maxFailures) {
      try {
        const batch = { now: this.#now, accountIds, last, isPatient, broken: this.#broken };
        const renewed = await renewBatch(this.#core, batch);
        for (const step of renewed.steps) {
          this.counts = withStep(this.counts, step);
          this.#options.onStep?.(step);
        }
        return renewed;
      } catch (error) {
        if (!(error instanceof RenewalFailed)) throw error;
        if (error.cause instanceof DatabaseUnavailable) throw error.cause;
        this.failures.push(error);
        if (error.serverId === undefined) break;
        this.#broken.add(error.serverId);
      }
    }
    return { steps: [], doneUpTo: last, leftOut: 0 };
  }
}
