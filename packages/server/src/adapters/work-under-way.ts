import { DatabaseUnavailable, reportTrouble, type OnTrouble } from "../ports/db.ts";

/** Counts what is under way, so that closing waits for its end and refuses what comes later. */
export class WorkUnderWay {
  #count = 0;
  #closing: PromiseWithResolvers<void> | undefined;
  readonly #onTrouble: OnTrouble;

  constructor(onTrouble: OnTrouble) {
    this.#onTrouble = onTrouble;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new DatabaseUnavailable("the database is being closed");
    this.#count += 1;
    try {
      return await work();
    } catch (error) {
      reportTrouble(error, this.#onTrouble);
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
