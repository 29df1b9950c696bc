import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { Fault, Gate } from "./faults.ts";

/** Thrown at every gate in a task whose process has crashed. */
export class ProcessCrashed extends Error {
  override readonly name = "ProcessCrashed";
}

export interface ProcessState {
  hasCrashed: boolean;
  /** The task whose transaction runs. Writes of a process run one at a time. */
  activeWriter: Task | undefined;
}

/** One attempt at a request, with callbacks for its transactions. */
export interface Attempt {
  readonly process: ProcessState;
  /** 1 for the first attempt, 2 for the first retry, and so on. */
  readonly count: number;
  faults: number;
  /** Whether a write waits for its turn or for the group commit. */
  isQueued: boolean;
  /** Reads what the transaction has written, inside the transaction. */
  beforeCommit?(tx: Tx, result: Result<unknown>): Promise<unknown>;
  /** Called after the commit, or after the rollback of a refusal, in the order in which transactions ended. */
  onEnd(result: Result<unknown>, observed: unknown): void;
}

interface Parked {
  readonly gate: Gate;
  readonly label: string;
  readonly resolve: (fault: Fault | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** One client, from its first request to its last answer. */
export interface Task {
  readonly name: string;
  readonly scheduler: Scheduler;
  /** A slow client is picked rarely, so that others overtake it. */
  readonly isSlow: boolean;
  /** Undefined between requests. */
  attempt: Attempt | undefined;
  parked: Parked | undefined;
}

const current = new AsyncLocalStorage<Task>();

export function currentTask(): Task {
  const task = current.getStore();
  if (task === undefined) throw new Error("A gate was reached outside a simulated task.");
  return task;
}

/** Restores the task's context, because the write queue runs a task's work in the context of another task. */
export function runAs<T>(task: Task, work: () => Promise<T>): Promise<T> {
  return current.run(task, work);
}

/**
 * A deterministic scheduler. Every task stops at its gates. When all tasks are stopped, the run lets exactly
 * one proceed. Only one task ever runs at a time, so a seed always gives the same run.
 */
export class Scheduler {
  readonly #tasks = new Set<Task>();
  #onIdle: (() => void) | undefined;

  start(
    client: Pick<Task, "name" | "isSlow">,
    work: (task: Task) => Promise<void>,
    onThrow: (error: unknown) => void,
  ): void {
    const task: Task = { ...client, scheduler: this, attempt: undefined, parked: undefined };
    this.#tasks.add(task);
    void runAs(task, async () => {
      try {
        await work(task);
      } catch (error) {
        onThrow(error);
      } finally {
        this.#tasks.delete(task);
        this.notifyStopped();
      }
    });
  }

  get tasks(): readonly Task[] {
    return [...this.#tasks];
  }

  /** Waits at a gate until the task may proceed. Returns the fault to simulate, if any. */
  gate(task: Task, gate: Gate, label: string): Promise<Fault | undefined> {
    if (task.attempt?.process.hasCrashed === true) return Promise.reject(new ProcessCrashed());
    if (task.parked !== undefined) throw new Error(`${task.name} waits at two gates at once.`);
    const { promise, resolve, reject } = Promise.withResolvers<Fault | undefined>();
    task.parked = { gate, label, resolve, reject };
    this.notifyStopped();
    return promise;
  }

  proceed(task: Task, fault: Fault | undefined): void {
    const { parked, attempt } = task;
    task.parked = undefined;
    if (fault !== undefined && attempt !== undefined) attempt.faults += 1;
    parked?.resolve(fault);
  }

  /** Ends everything in flight in the process without further effects. */
  async kill(process: ProcessState): Promise<void> {
    process.hasCrashed = true;
    for (const task of this.tasks) {
      if (task.attempt?.process !== process || task.parked === undefined) continue;
      const { reject } = task.parked;
      task.parked = undefined;
      reject(new ProcessCrashed());
    }
    await this.whenIdle();
  }

  /** Resolves when every task waits at a gate or behind one that does. */
  whenIdle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    return promise;
  }

  /** Must be called when a task stops or ends, so that `whenIdle` can resolve. */
  notifyStopped(): void {
    if (this.#onIdle === undefined || !this.#isIdle()) return;
    this.#onIdle();
    this.#onIdle = undefined;
  }

  #isIdle(): boolean {
    for (const { parked, attempt } of this.#tasks) {
      const isBehindAnother =
        attempt?.isQueued === true && attempt.process.activeWriter?.parked !== undefined;
      if (parked === undefined && !isBehindAnother) return false;
    }
    return true;
  }
}
