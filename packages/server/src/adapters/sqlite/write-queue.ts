import type { StatementSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { DatabaseUnavailable, Overloaded, type Tx } from "#ports/db.ts";
import { didNotCommit, refusalFor } from "#kernel/sql/outcomes.ts";
import type { Refusal, Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";
import { isBusy, translate, type SqliteConnection } from "./connection.ts";

/** A larger batch gains little and makes the first job wait for the last. */
const maxBatch = 64;
/** How many turns of the event loop a batch stays open while each turn brings another job. */
const maxGatheringTurns = 16;
/** After a job of a batch had to be rolled back, this many batches use savepoints. */
const batchesWithSavepoints = 16;
/** A longer queue means that the disk has stalled: refuse further writes instead of using more memory. */
const maxWaiting = 10_000;
/** How long another process may hold the write lock before requests get a 503. */
const busyMs = 5_000;
/** The longest pause between two tries to take the lock. */
const maxPauseMs = 4;
/** A process with a constant stream of writes releases the lock this often, so that others can take it. */
const turnMs = 1_000;
const gapMs = 2 * maxPauseMs;

const controls = [
  "begin immediate",
  "savepoint job",
  "release job",
  "rollback to job",
  "commit",
  "rollback",
] as const;
type Control = (typeof controls)[number];

interface Job {
  readonly work: (tx: Tx) => Promise<Result<unknown>>;
  readonly violations: Readonly<Record<string, Refusal>> | undefined;
  readonly settle: (outcome: Outcome) => void;
}

type Outcome = { readonly result: Result<unknown> } | { readonly error: unknown };

/**
 * Runs all writes of this process one after another on one connection. Group commit: the jobs that wait when a turn
 * of the event loop ends share one transaction and one sync to disk, and are answered only after that sync.
 *
 * A refusal or an error rolls back only its own job. This takes a savepoint per job, for which SQLite copies every page
 * that the job changes, so batches use savepoints only for a while after a job was rolled back. A batch without
 * savepoints in which a job must be rolled back is rolled back as a whole and run again with them.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #tx: Kysely<Schema>;
  /** Prepared once, because every write uses them. */
  readonly #controls: Readonly<Record<Control, StatementSync>>;
  readonly #onCommit: () => void;
  readonly #waiting: Job[] = [];
  #draining: Promise<void> | undefined;
  #savepointBatchesLeft = 0;
  #committedAt = 0;
  #turnEndsAt = 0;

  constructor(connection: SqliteConnection, tx: Kysely<Schema>, onCommit: () => void) {
    this.#connection = connection;
    this.#tx = tx;
    this.#onCommit = onCommit;
    this.#controls = Object.fromEntries(
      controls.map((sql) => [sql, connection.database.prepare(sql)]),
    ) as Record<Control, StatementSync>;
  }

  write<T>(
    work: (tx: Tx) => Promise<Result<T>>,
    violations?: Readonly<Record<string, Refusal>>,
  ): Promise<Result<T>> {
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new Overloaded("too many writes are waiting"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result<T>>();
    const settle = (outcome: Outcome) => {
      if ("error" in outcome) reject(outcome.error);
      else resolve(outcome.result as Result<T>);
    };
    this.#waiting.push({ work, violations, settle });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Resolves when no transaction is open. Until the caller yields, none will be. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#takeTurn();
      const locked = await this.#begin();
      // On a timeout, fail every waiting job at once: batch by batch, each with the full timeout, the last
      // would wait for minutes.
      const batch = this.#waiting.splice(0, locked.ok ? maxBatch : maxWaiting);
      const outcomes = locked.ok ? await this.#perform(batch) : allFailed(batch, locked.error);
      this.#committedAt = performance.now();
      this.#onCommit();
      batch.forEach((job, index) => job.settle(outcomes[index] as Outcome));
    }
    this.#draining = undefined;
  }

  /**
   * Lets arriving requests join the batch. Clients that the last commit answered send their next requests one by one,
   * and the first of them would otherwise get a sync to itself.
   */
  async #gather(): Promise<void> {
    for (let turn = 0; turn < maxGatheringTurns; turn += 1) {
      const { length } = this.#waiting;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#waiting.length === length || this.#waiting.length >= maxBatch) return;
    }
  }

  /** Pauses now and then, because a process with a constant stream of writes would starve the others. */
  async #takeTurn(): Promise<void> {
    const now = performance.now();
    const hasPaused = now - this.#committedAt > gapMs;
    if (!hasPaused && now < this.#turnEndsAt) return;
    if (!hasPaused) await new Promise((resolve) => setTimeout(resolve, gapMs));
    this.#turnEndsAt = performance.now() + turnMs;
  }

  /** Runs the jobs in the transaction that was begun, and ends it. */
  async #perform(batch: readonly Job[]): Promise<readonly Outcome[]> {
    try {
      if (this.#savepointBatchesLeft === 0) {
        const outcomes = await this.#commitWithoutSavepoints(batch);
        if (outcomes !== undefined) return outcomes;
        this.#savepointBatchesLeft = batchesWithSavepoints;
        const locked = await this.#begin();
        if (!locked.ok) return allFailed(batch, locked.error);
      }
      this.#savepointBatchesLeft -= 1;
      return await this.#commitWithSavepoints(batch);
    } catch (error) {
      this.#rollBack();
      return allFailed(batch, error);
    }
  }

  /** Returns undefined after rolling back the whole batch because one of several jobs must not commit. */
  async #commitWithoutSavepoints(batch: readonly Job[]): Promise<readonly Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    for (const job of batch) {
      const outcome = await this.#run(job);
      if (!commits(outcome)) {
        this.#execute("rollback");
        return batch.length === 1 ? [outcome] : undefined;
      }
      outcomes.push(outcome);
    }
    this.#execute("commit");
    return outcomes;
  }

  async #commitWithSavepoints(batch: readonly Job[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const job of batch) {
      this.#execute("savepoint job");
      const outcome = await this.#run(job);
      if (!commits(outcome)) this.#execute("rollback to job");
      this.#execute("release job");
      outcomes.push(outcome);
    }
    this.#execute("commit");
    return outcomes;
  }

  #rollBack(): void {
    try {
      if (this.#connection.database.isTransaction) this.#execute("rollback");
    } catch {
      // Throwing would leave the waiting jobs unanswered; the next begin reports the problem.
    }
  }

  async #run(job: Job): Promise<Outcome> {
    const failedBefore = this.#connection.failedStatements;
    let outcome: Outcome;
    try {
      const result = await job.work(this.#tx);
      // PostgreSQL commits nothing after a failed statement, so neither engine does.
      if (result.ok && this.#connection.failedStatements > failedBefore) throw didNotCommit();
      outcome = { result };
    } catch (error) {
      const refusal = refusalFor(error, job.violations);
      outcome = refusal === undefined ? { error } : { result: { ok: false, refusal } };
    }
    // On a full disk SQLite rolls back the whole transaction, and with it the batch.
    if (!this.#connection.database.isTransaction) {
      throw "error" in outcome
        ? outcome.error
        : new DatabaseUnavailable("the transaction was rolled back");
    }
    return outcome;
  }

  /** Waits without blocking the event loop while another process holds the write lock. */
  async #begin(): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: unknown }> {
    const giveUpAt = performance.now() + busyMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        this.#execute("begin immediate");
        return { ok: true };
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) return { ok: false, error };
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
    }
  }

  #execute(sql: Control): void {
    this.#controls[sql].run();
  }
}

function commits(outcome: Outcome): boolean {
  return "result" in outcome && outcome.result.ok;
}

function allFailed(batch: readonly Job[], error: unknown): readonly Outcome[] {
  return batch.map(() => ({ error: translate(error) }));
}
