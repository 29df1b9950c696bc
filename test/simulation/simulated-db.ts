import type { Db, Tx } from "#server/ports/db.ts";
import { didNotCommit } from "#server/kernel/sql/outcomes.ts";
import type { Refusal, Result } from "#server/ports/result.ts";
import { refuse } from "#server/kernel/result.ts";
import { databaseError, databases, transactions, type GatedQueries } from "./gated-queries.ts";
import {
  currentTask,
  ProcessCrashed,
  runAs,
  type Attempt,
  type ProcessState,
  type Task,
} from "./scheduler.ts";

/** More reruns than random serialization failures plausibly cause. */
const maxReruns = 12;

/**
 * Wraps the real database for one simulated process. Every begin, statement, commit and answer is a gate,
 * where the seed decides which task proceeds and with which fault.
 */
export function simulateDb(real: Db, process: ProcessState, queries: GatedQueries): Db {
  databases.set(process, real);
  return {
    ...real,
    read: queries.read,
    write: async (work, violations) => {
      const task = currentTask();
      const { attempt } = task;
      if (attempt?.process !== process) throw new Error(`${task.name} writes in another process.`);
      for (let reruns = 0; reruns < maxReruns; reruns += 1) {
        const fault = await task.scheduler.gate(task, "begin", "");
        if (fault !== undefined) throw databaseError(fault);
        const write = new GatedWrite(real, queries, task, attempt);
        const result = await write.run(work, violations);
        if (result !== "retry") return result;
      }
      throw new Error(`A write did not commit in ${maxReruns} runs.`);
    },
  };
}

class GatedWrite {
  readonly #real: Db;
  readonly #queries: GatedQueries;
  readonly #task: Task;
  readonly #attempt: Attempt;
  #runsAgain = false;
  #observed: unknown;

  constructor(real: Db, queries: GatedQueries, task: Task, attempt: Attempt) {
    this.#real = real;
    this.#queries = queries;
    this.#task = task;
    this.#attempt = attempt;
  }

  async run<T>(
    work: (tx: Tx) => Promise<Result<T>>,
    violations: Readonly<Record<string, Refusal>> | undefined,
  ): Promise<Result<T> | "retry"> {
    const result = await this.#queued(() =>
      this.#real.write((tx) => runAs(this.#task, () => this.#work(tx, work)), violations),
    );
    if (this.#attempt.process.hasCrashed) throw new ProcessCrashed();
    if (this.#runsAgain) return "retry";
    this.#attempt.onEnd(result, this.#observed);
    const label = result.ok ? "ok" : "refused";
    const fault = await this.#task.scheduler.gate(this.#task, "answer", label);
    if (fault !== undefined) throw databaseError(fault);
    return result;
  }

  /** Marks the task as queued: only the end of another transaction of its process can wake it. */
  async #queued<T>(write: () => Promise<T>): Promise<T> {
    this.#attempt.isQueued = true;
    try {
      return await write();
    } finally {
      this.#attempt.isQueued = false;
    }
  }

  async #work<T>(tx: Tx, work: (tx: Tx) => Promise<Result<T>>): Promise<Result<T>> {
    const { process } = this.#attempt;
    const transaction = { tx, failure: undefined };
    process.activeWriter = this.#task;
    this.#attempt.isQueued = false;
    transactions.set(this.#task, transaction);
    try {
      const result = await work(this.#queries.tx);
      if (!result.ok) return result;
      if (transaction.failure !== undefined) throw didNotCommit();
      return await this.#beforeCommit(tx, result);
    } finally {
      transactions.delete(this.#task);
      process.activeWriter = undefined;
      this.#attempt.isQueued = true;
    }
  }

  async #beforeCommit<T>(tx: Tx, result: Result<T>): Promise<Result<T>> {
    const fault = await this.#task.scheduler.gate(this.#task, "commit", "");
    this.#runsAgain = fault === "serialization failure";
    // Roll back and run again, as the PostgreSQL adapter does after a serialization failure.
    if (this.#runsAgain) return refuse("conflict");
    if (fault !== undefined) throw databaseError(fault);
    this.#observed = await this.#attempt.beforeCommit?.(tx, result);
    return result;
  }
}
