/** How many writes of unknown outcome are remembered. */
const most = 1_000;

interface OpenIntent {
  readonly key: string;
  /** When it was sent first, on the client's clock. */
  readonly startedAt: number;
  readonly isOwnKey: boolean;
}

/**
 * The writes whose outcome is not known. The same write called again without a key is sent with the
 * key that it had: a new one could do it twice, and remembering that is too much to ask of callers.
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
