import type { StatementSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { DatabaseUnavailable, didNotCommit, Overloaded, refusalFor, type Tx } from "#ports/db.ts";
import type { Refusal, Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";
import { isBusy, translate, type SqliteConnection } from "./connection.ts";

/** More jobs a commit gain little and make the first one wait for the last. */
const maxBatch = 64;
/** So many turns of the event loop a commit waits at most while each of them brings another job. */
const maxGatheringTurns = 16;
/** After one that had to be undone alone, so many batches are prepared for another. */
const carefulBatches = 16;
/** More waiting than this means that the disk has stopped; refusing is kinder than growing. */
const maxWaiting = 10_000;
/** How long another process may hold the write lock before a request is refused with a 503. */
const busyMs = 5_000;
/** How long a process that waits for the lock pauses at most before it looks again. */
const maxPauseMs = 4;
/** A process that has writes without end lets go of the lock this often, for others to get it. */
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
 * Runs all writes of this process one after another on one connection. What is waiting when a turn
 * of the event loop ends shares one transaction and one sync to disk; a job is answered only after that
 * sync. A refusal or a throw undoes its job alone. That needs a savepoint for each of them, for which SQLite
 * copies every page that they change: so it is done only when one was undone a moment ago, and a batch
 * that finds out too late is rolled back and run again.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #tx: Kysely<Schema>;
  /** Prepared once: they take part in every write. */
  readonly #controls: Readonly<Record<Control, StatementSync>>;
  readonly #onCommit: () => void;
  readonly #waiting: Job[] = [];
  #draining: Promise<void> | undefined;
  #carefulBatchesLeft = 0;
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

  /** Resolves when no transaction is open. What follows in the same turn has the connection alone. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#takeTurn();
      const locked = await this.#begin();
      // Whoever came meanwhile waits for the same lock. One batch after the other, each with all the
      // time there is, the last would hear of it minutes later.
      const batch = this.#waiting.splice(0, locked.ok ? maxBatch : maxWaiting);
      const outcomes = locked.ok ? await this.#perform(batch) : allFailed(batch, locked.error);
      this.#committedAt = performance.now();
      this.#onCommit();
      batch.forEach((job, index) => job.settle(outcomes[index] as Outcome));
    }
    this.#draining = undefined;
  }

  /**
   * Lets the requests that are arriving join the batch. Those who were answered by the last commit ask
   * again one after the other, and the first of them would otherwise have a sync to itself.
   */
  async #gather(): Promise<void> {
    for (let turn = 0; turn < maxGatheringTurns; turn += 1) {
      const { length } = this.#waiting;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#waiting.length === length || this.#waiting.length >= maxBatch) return;
    }
  }

  /** Without this, a process that always has writes could keep every other from its first one. */
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
      if (this.#carefulBatchesLeft === 0) {
        const outcomes = await this.#commitTogether(batch);
        if (outcomes !== undefined) return outcomes;
        this.#carefulBatchesLeft = carefulBatches;
        const locked = await this.#begin();
        if (!locked.ok) return allFailed(batch, locked.error);
      }
      this.#carefulBatchesLeft -= 1;
      return await this.#commitApart(batch);
    } catch (error) {
      this.#rollBack();
      return allFailed(batch, error);
    }
  }

  /** Rolls back, and gives nothing when others would be undone along with the one that has to be. */
  async #commitTogether(batch: readonly Job[]): Promise<readonly Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    for (const job of batch) {
      const outcome = await this.#run(job);
      if (!isKept(outcome)) {
        this.#execute("rollback");
        return batch.length === 1 ? [outcome] : undefined;
      }
      outcomes.push(outcome);
    }
    this.#execute("commit");
    return outcomes;
  }

  async #commitApart(batch: readonly Job[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const job of batch) {
      this.#execute("savepoint job");
      const outcome = await this.#run(job);
      if (!isKept(outcome)) this.#execute("rollback to job");
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
      // Throwing would leave the jobs that wait without an answer; the next begin says what is wrong.
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
    // A full disk makes SQLite abandon the whole transaction; nothing of the batch is left then.
    if (!this.#connection.database.isTransaction) {
      throw "error" in outcome ? outcome.error : new DatabaseUnavailable("transaction was lost");
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

function isKept(outcome: Outcome): boolean {
  return "result" in outcome && outcome.result.ok;
}

function allFailed(batch: readonly Job[], error: unknown): readonly Outcome[] {
  return batch.map(() => ({ error: translate(error) }));
}
