/** The maximum number of remembered writes. */
const most = 1_000;

interface OpenIntent {
  readonly key: string;
  /** When it was first sent, on the client's clock. */
  readonly startedAt: number;
  readonly isOwnKey: boolean;
}

/**
 * Writes with an unknown outcome. Calling the same write again without a key reuses the earlier key,
 * because a new key could execute it twice.
 */
export class OpenIntents {
  readonly #intents = new Map<string, OpenIntent>();

  find(intent: string): OpenIntent | undefined {
    return this.#intents.get(intent);
  }

  remember(intent: string, open: OpenIntent): void {
    this.#intents.set(intent, open);
    const [oldest] = this.#intents.keys();
    if (this.#intents.size > most && oldest !== undefined) this.#intents.delete(oldest);
  }

  forget(intent: string, key: string): void {
    if (this.#intents.get(intent)?.key === key) this.#intents.delete(intent);
  }
}
