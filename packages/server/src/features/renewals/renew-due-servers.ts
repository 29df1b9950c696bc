import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { beforeAll, isBefore, type DuePosition } from "./due-server.ts";
import { expireQuotes } from "./expire-quotes.ts";
import { batchLength, readDue } from "./find-due.ts";
import { renewBatch, RenewalFailed, type RenewedBatch } from "./renew-batch.ts";
import { noRenewals, withStep, type RenewalCounts } from "./renewal-counts.ts";
import type { RenewalStep } from "./renewal-step.ts";

/** The counts of one pass, and its failures, which the next pass retries. */
export interface RenewalPass {
  readonly counts: RenewalCounts;
  readonly failures: readonly unknown[];
}

export interface RenewalOptions {
  /** Renews servers that are due by then. Entries are recorded at the current time. */
  readonly asOf?: number;
  readonly stop?: AbortSignal;
  /** Called for each step once it is committed, in order. */
  readonly onStep?: (step: RenewalStep) => void;
}

/** After this many failures something else must be wrong, so the pass stops. */
const maxFailures = 100;
/** Limits a pass in which servers keep becoming due. The next pass continues. */
const maxBatches = 1_000_000;

/**
 * Renews all due servers, and withdraws expired quotes. Any number of instances may run this at
 * once and stop at any point. Accounts that another transaction holds are skipped and retried at the end, in case that
 * transaction was not another pass.
 */
export async function renewDueServers(
  core: Core,
  options: RenewalOptions = {},
): Promise<RenewalPass> {
  const pass = new Pass(core, options);
  try {
    const firstSkipped = await pass.scan(beforeAll, false);
    if (firstSkipped !== undefined) await pass.scan(firstSkipped, true);
    await pass.expireQuotes();
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
  /** How many more batches have one server, to find the one that makes the others fail. */
  #singles = 0;

  constructor(core: Core, options: RenewalOptions) {
    this.#core = core;
    this.#options = options;
    this.#now = options.asOf ?? core.clock.now();
  }

  /** Renews everything due after that position. Returns the position before the first skipped account. */
  async scan(after: DuePosition, waitsForLocks: boolean): Promise<DuePosition | undefined> {
    let firstSkipped: DuePosition | undefined;
    let position = after;
    while (this.#canContinue()) {
      const pause = this.#core.pacer?.();
      const due = await readDue(this.#core.db.read, this.#now, position);
      const last = due.at(-1);
      if (last === undefined) break;
      const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
      const renewed = await this.#renew(accountIds, last, waitsForLocks);
      if (renewed.skipped > 0) firstSkipped ??= position;
      // If servers from before this position filled the batch, read the page again.
      if (isBefore(position, renewed.doneUpTo)) position = renewed.doneUpTo;
      else if (renewed.steps.length === 0) position = last;
      await pause?.();
    }
    return firstSkipped;
  }

  /** After the renewals, because a server that ends has no quote. */
  async expireQuotes(): Promise<void> {
    const expiredQuotes = await expireQuotes(this.#core, {
      asOf: this.#now,
      canContinue: () => this.#canContinue(),
      onFailure: (error) => this.failures.push(error),
    });
    this.counts = { ...this.counts, expiredQuotes };
  }

  #canContinue(): boolean {
    this.#batches += 1;
    const isStopped = this.#options.stop?.aborted === true;
    return !isStopped && this.#batches <= maxBatches && this.failures.length < maxFailures;
  }

  /** Reports and skips a server whose renewal fails, and continues with the rest of the batch. */
  async #renew(
    accountIds: readonly string[],
    last: DuePosition,
    waitsForLocks: boolean,
  ): Promise<RenewedBatch> {
    while (this.failures.length < maxFailures) {
      try {
        const shared = { now: this.#now, accountIds, last, waitsForLocks, broken: this.#broken };
        const length = this.#singles > 0 ? 1 : batchLength;
        const renewed = await renewBatch(this.#core, { ...shared, length });
        this.#singles -= 1;
        for (const step of renewed.steps) {
          this.counts = withStep(this.counts, step);
          this.#options.onStep?.(step);
        }
        return renewed;
      } catch (error) {
        if (!(error instanceof RenewalFailed)) throw error;
        if (error.cause instanceof DatabaseUnavailable) throw error.cause;
        if (error.serverId !== undefined) this.#broken.add(error.serverId);
        else if (this.#singles <= 0) {
          this.#singles = batchLength;
          continue;
        }
        this.failures.push(error);
        if (error.serverId === undefined) break;
      }
    }
    return { steps: [], doneUpTo: last, skipped: 0 };
  }
}
