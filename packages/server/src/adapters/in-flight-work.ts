import { DatabaseUnavailable } from "#ports/db.ts";

/** Tracks running operations, so that closing waits for them and refuses new ones. */
export class InFlightWork {
  #count = 0;
  #closing: PromiseWithResolvers<void> | undefined;
  readonly #onEnd: (error?: unknown) => void;

  constructor(onEnd: (error?: unknown) => void) {
    this.#onEnd = onEnd;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new DatabaseUnavailable("the database is being closed");
    this.#count += 1;
    try {
      const result = await work();
      this.#onEnd();
      return result;
    } catch (error) {
      this.#onEnd(error);
      throw error;
    } finally {
      this.#count -= 1;
      this.#resolveWhenDone();
    }
  }

  /** Refuses new operations, and resolves when the running ones have ended. */
  drain(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    this.#resolveWhenDone();
    return this.#closing.promise;
  }

  #resolveWhenDone(): void {
    if (this.#count === 0) this.#closing?.resolve();
  }
}
