import { DatabaseUnavailable } from "#ports/db.ts";

/** Counts what is under way, so that closing waits for its end and refuses what comes later. */
export class WorkUnderWay {
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

  /** Resolves when nothing is under way any more. */
  end(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    this.#resolveWhenDone();
    return this.#closing.promise;
  }

  #resolveWhenDone(): void {
    if (this.#count === 0) this.#closing?.resolve();
  }
}
