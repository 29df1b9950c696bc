import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { beforeAll, isBefore, type DuePlace } from "./due-server.ts";
import { readDue } from "./find-due.ts";
import { renewBatch, RenewalFailed, type RenewedBatch } from "./renew-batch.ts";
import { noRenewals, withStep, type RenewalCounts } from "./renewal-counts.ts";
import type { RenewalStep } from "./renewal-step.ts";

/** What one pass did, and what went wrong on the way: the next pass tries that again. */
export interface RenewalPass {
  readonly counts: RenewalCounts;
  readonly failures: readonly unknown[];
}

export interface RenewalOptions {
  /** What is due by then is taken. Entries are recorded at the time when they are made. */
  readonly asOf?: number;
  readonly stop?: AbortSignal;
  /** Told of each step once it is committed, in the order in which they were taken. */
  readonly onStep?: (step: RenewalStep) => void;
}

/** So many servers that cannot be renewed are more than a person mends: something else is wrong. */
const maxFailures = 100;
/** A process that others keep busy as well must not keep the pass from ever getting on. */
const maxRestMs = 50;
/** A pass ends even if ever more comes up; the next one goes on. */
const maxBatches = 1_000_000;

/**
 * Renews what is due: one scan in the order of the due times, in small transactions. Any number of
 * instances may do so at once, and it may stop anywhere. Accounts that another pass is at are left to
 * it, and looked at once more in the end, in case it was somebody else who held them.
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

/** Customers have this process to themselves for as long as the batch kept it from them. */
async function restFor(busyMs: number): Promise<void> {
  await setTimeout(Math.min(busyMs, maxRestMs));
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

  /** Goes through everything due after that place, and says before what something was left out. */
  async scan(after: DuePlace, isPatient: boolean): Promise<DuePlace | undefined> {
    let firstLeftOut: DuePlace | undefined;
    let place = after;
    while (this.#goesOn()) {
      const before = performance.eventLoopUtilization();
      const due = await readDue(this.#core.db.read, this.#now, place);
      const last = due.at(-1);
      if (last === undefined) break;
      const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
      const renewed = await this.#renew(accountIds, last, isPatient);
      if (renewed.leftOut > 0) firstLeftOut ??= place;
      // When servers left over from before this place took the batch, the page is looked at again.
      if (isBefore(place, renewed.doneUpTo)) place = renewed.doneUpTo;
      else if (renewed.steps.length === 0) place = last;
      await restFor(performance.eventLoopUtilization(before).active);
    }
    return firstLeftOut;
  }

  #goesOn(): boolean {
    this.#batches += 1;
    const isStopped = this.#options.stop?.aborted === true;
    return !isStopped && this.#batches <= maxBatches && this.failures.length < maxFailures;
  }

  /** A server that cannot be renewed is told and left out; everything else of the batch goes on. */
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
