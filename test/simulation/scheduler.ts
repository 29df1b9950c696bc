import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { Fault, Gate } from "./faults.ts";

/** What a task that belongs to a dead process finds at every gate. */
export class Died extends Error {
  override readonly name = "Died";
}

/** A process of the service: everything in flight in it ends with it. */
export interface Living {
  isDead: boolean;
  /** Whose transaction runs: the writes of a process take turns. */
  inWork: Task | undefined;
}

/** One request to the service, and who wants to know what its transactions come to. */
export interface Attempt {
  readonly process: Living;
  /** The how-many-th sending of the same request it is. */
  readonly count: number;
  faults: number;
  /** A write that waits for its turn, or for the commit that it shares with others. */
  isInLine: boolean;
  /** Looks at what the transaction leaves, within it. */
  beforeCommit?(tx: Tx, result: Result<unknown>): Promise<unknown>;
  /** The transaction is committed, or undone by its refusal. Told in the order in which that happened. */
  onEnd(result: Result<unknown>, seen: unknown): void;
}

interface Parked {
  readonly gate: Gate;
  readonly label: string;
  readonly resolve: (fault: Fault | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** One sender of requests, from its first to its last answer. */
export interface Task {
  readonly name: string;
  readonly scheduler: Scheduler;
  /** Somebody who hardly gets on while the others do: what is short for them is long for it. */
  readonly isSlow: boolean;
  /** Undefined while it is on its own side of the line. */
  attempt: Attempt | undefined;
  parked: Parked | undefined;
}

const current = new AsyncLocalStorage<Task>();

export function currentTask(): Task {
  const task = current.getStore();
  if (task === undefined) throw new Error("a gate of the simulation was reached from outside");
  return task;
}

/** A queue runs the work of one task in the context of another. */
export function within<T>(task: Task, work: () => Promise<T>): Promise<T> {
  return current.run(task, work);
}

/**
 * Decides who goes on. Every task stops at its gates, and when all of them stand still whoever drives
 * the run lets exactly one through: there is never more than one thing happening, so a seed is a run.
 */
export class Scheduler {
  readonly #tasks = new Set<Task>();
  #whenStill: (() => void) | undefined;

  start(
    who: Pick<Task, "name" | "isSlow">,
    work: (task: Task) => Promise<void>,
    onThrow: (error: unknown) => void,
  ): void {
    const task: Task = { ...who, scheduler: this, attempt: undefined, parked: undefined };
    this.#tasks.add(task);
    void within(task, async () => {
      try {
        await work(task);
      } catch (error) {
        onThrow(error);
      } finally {
        this.#tasks.delete(task);
        this.moved();
      }
    });
  }

  get tasks(): readonly Task[] {
    return [...this.#tasks];
  }

  /** Waits at a gate until it is let through; says with what. */
  gate(task: Task, gate: Gate, label: string): Promise<Fault | undefined> {
    if (task.attempt?.process.isDead === true) return Promise.reject(new Died());
    if (task.parked !== undefined) throw new Error(`${task.name} is at two gates at once`);
    const { promise, resolve, reject } = Promise.withResolvers<Fault | undefined>();
    task.parked = { gate, label, resolve, reject };
    this.moved();
    return promise;
  }

  letThrough(task: Task, fault: Fault | undefined): void {
    const { parked, attempt } = task;
    task.parked = undefined;
    if (fault !== undefined && attempt !== undefined) attempt.faults += 1;
    parked?.resolve(fault);
  }

  /** Everything in flight in the process comes to its end without another effect. */
  async kill(process: Living): Promise<void> {
    process.isDead = true;
    for (const task of this.tasks) {
      if (task.attempt?.process !== process || task.parked === undefined) continue;
      const { reject } = task.parked;
      task.parked = undefined;
      reject(new Died());
    }
    await this.still();
  }

  /** Resolves when nothing can happen any more without somebody being let through. */
  still(): Promise<void> {
    if (this.#isStill()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenStill = resolve;
    return promise;
  }

  /** Something has changed that may have been the last thing to do so. */
  moved(): void {
    if (this.#whenStill === undefined || !this.#isStill()) return;
    this.#whenStill();
    this.#whenStill = undefined;
  }

  #isStill(): boolean {
    for (const { parked, attempt } of this.#tasks) {
      const isBehindAnother =
        attempt?.isInLine === true && attempt.process.inWork?.parked !== undefined;
      if (parked === undefined && !isBehindAnother) return false;
    }
    return true;
  }
}
