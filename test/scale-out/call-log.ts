import { OutcomeUnknown } from "#client/index.ts";

/** Operations that the service performs once per idempotency key. */
export type KeyedOperation =
  | "placeOrder"
  | "createDepositAddress"
  | "requestWithdrawal"
  | "requestAction";

/** Records the calls of a run and their outcomes. */
export class CallLog {
  /** Idempotency keys of acknowledged writes, by operation. */
  readonly acknowledged: Readonly<Record<KeyedOperation, Set<string>>> = {
    placeOrder: new Set(),
    createDepositAddress: new Set(),
    requestWithdrawal: new Set(),
    requestAction: new Set(),
  };
  readonly failures = new Map<string, number>();
  /** Ids of work items whose completion was acknowledged. */
  readonly completed = new Set<string>();
  calls = 0;
  /** HTTP requests sent for those calls, including retries. */
  attempts = 0;
  slowestMs = 0;

  /** Makes a call. Records a failure and returns undefined. */
  async call<T>(operation: string, make: () => Promise<T>): Promise<T | undefined> {
    const startedAt = performance.now();
    this.calls += 1;
    try {
      return await make();
    } catch (error) {
      // The client never retries completeWork, so its caller must find out the outcome.
      if (error instanceof OutcomeUnknown && error.operation === "completeWork") throw error;
      this.#recordFailure(operation, error);
      return undefined;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
  }

  /** Makes a call with an idempotency key and records the key when the write is acknowledged. */
  async write<T>(
    operation: KeyedOperation,
    key: string,
    make: () => Promise<T>,
  ): Promise<T | undefined> {
    const answer = await this.call(operation, make);
    if (answer !== undefined) this.acknowledged[operation].add(key);
    return answer;
  }

  #recordFailure(operation: string, error: unknown): void {
    const name = `${operation}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
    this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
  }
}
