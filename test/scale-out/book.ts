import { OutcomeUnknown } from "#client/index.ts";

/** Writes that the service does once for each key. */
export type Keyed = "placeOrder" | "createDepositAddress" | "requestWithdrawal" | "requestAction";

/** What callers have asked for, and what became of it. */
export class Book {
  /** The keys of the writes that were acknowledged, by operation. */
  readonly acknowledged: Readonly<Record<Keyed, Set<string>>> = {
    placeOrder: new Set(),
    createDepositAddress: new Set(),
    requestWithdrawal: new Set(),
    requestAction: new Set(),
  };
  readonly failures = new Map<string, number>();
  /** Work that an operator was told is done. */
  readonly completed = new Set<string>();
  calls = 0;
  /** How often something was sent for those calls. */
  sendings = 0;
  slowestMs = 0;

  /** Makes a call. One that fails is noted, and gives nothing. */
  async call<T>(what: string, make: () => Promise<T>): Promise<T | undefined> {
    const startedAt = performance.now();
    this.calls += 1;
    try {
      return await make();
    } catch (error) {
      // It is the caller's to find out, where the client cannot know.
      if (error instanceof OutcomeUnknown && error.operation === "completeWork") throw error;
      this.#fail(what, error);
      return undefined;
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    }
  }

  /** As `call`, for a write under that key. */
  async write<T>(operation: Keyed, key: string, make: () => Promise<T>): Promise<T | undefined> {
    const answer = await this.call(operation, make);
    if (answer !== undefined) this.acknowledged[operation].add(key);
    return answer;
  }

  #fail(what: string, error: unknown): void {
    const name = `${what}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
    this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
  }
}
