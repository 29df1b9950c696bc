import type { Db, Tx } from "#server/ports/db.ts";
import { didNotCommit } from "#server/kernel/sql/outcomes.ts";
import type { Refusal, Result } from "#server/ports/result.ts";
import { refuse } from "#server/kernel/result.ts";
import { databaseError, databases, transactions, type GatedQueries } from "./gated-queries.ts";
import { currentTask, Died, within, type Attempt, type Living, type Task } from "./scheduler.ts";

/** A write that loses against others so often has met something other than chance. */
const maxReruns = 12;

/**
 * The real database as one process of the simulation has it: every begin, statement, commit and answer
 * is a gate, where the seed decides who goes first and what goes wrong.
 */
export function simulateDb(real: Db, process: Living, queries: GatedQueries): Db {
  databases.set(process, real);
  return {
    ...real,
    read: queries.read,
    write: async (work, violations) => {
      const task = currentTask();
      const { attempt } = task;
      if (attempt?.process !== process) throw new Error(`${task.name} writes in another process`);
      for (let reruns = 0; reruns < maxReruns; reruns += 1) {
        const lost = await task.scheduler.gate(task, "begin", "");
        if (lost !== undefined) throw databaseError(lost);
        const write = new GatedWrite(real, queries, task, attempt);
        const result = await write.run(work, violations);
        if (result !== "again") return result;
      }
      throw new Error("a write was run again and again");
    },
  };
}

class GatedWrite {
  readonly #real: Db;
  readonly #queries: GatedQueries;
  readonly #task: Task;
  readonly #attempt: Attempt;
  #runsAgain = false;
  #seen: unknown;

  constructor(real: Db, queries: GatedQueries, task: Task, attempt: Attempt) {
    this.#real = real;
    this.#queries = queries;
    this.#task = task;
    this.#attempt = attempt;
  }

  async run<T>(
    work: (tx: Tx) => Promise<Result<T>>,
    violations: Readonly<Record<string, Refusal>> | undefined,
  ): Promise<Result<T> | "again"> {
    const result = await this.#inLine(() =>
      this.#real.write((tx) => within(this.#task, () => this.#work(tx, work)), violations),
    );
    if (this.#attempt.process.isDead) throw new Died();
    if (this.#runsAgain) return "again";
    this.#attempt.onEnd(result, this.#seen);
    const lost = await this.#task.scheduler.gate(this.#task, "answer", result.ok ? "ok" : "no");
    if (lost !== undefined) throw databaseError(lost);
    return result;
  }

  /** While it waits for others of its process, nothing but their end can move it. */
  async #inLine<T>(write: () => Promise<T>): Promise<T> {
    this.#attempt.isInLine = true;
    try {
      return await write();
    } finally {
      this.#attempt.isInLine = false;
    }
  }

  async #work<T>(tx: Tx, work: (tx: Tx) => Promise<Result<T>>): Promise<Result<T>> {
    const { process } = this.#attempt;
    const transaction = { tx, failure: undefined };
    process.inWork = this.#task;
    this.#attempt.isInLine = false;
    transactions.set(this.#task, transaction);
    try {
      const result = await work(this.#queries.tx);
      if (!result.ok) return result;
      if (transaction.failure !== undefined) throw didNotCommit();
      return await this.#beforeCommit(tx, result);
    } finally {
      transactions.delete(this.#task);
      process.inWork = undefined;
      this.#attempt.isInLine = true;
    }
  }

  async #beforeCommit<T>(tx: Tx, result: Result<T>): Promise<Result<T>> {
    const fault = await this.#task.scheduler.gate(this.#task, "commit", "");
    this.#runsAgain = fault === "serialization failure";
    // Undone and run again, as PostgreSQL's adapter does when a transaction lost against another.
    if (this.#runsAgain) return refuse("conflict");
    if (fault !== undefined) throw databaseError(fault);
    this.#seen = await this.#attempt.beforeCommit?.(tx, result);
    return result;
  }
}
