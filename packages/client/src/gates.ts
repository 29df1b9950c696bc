import { ApiError } from "./errors.ts";
import type { Clock } from "./wire.ts";

/** How many are remembered; the oldest is the first to be open again. */
const most = 100;

/**
 * Who was told to wait is not let through before, however often the caller asks: attempts at signing
 * in are counted, and going on would only prolong the wait.
 */
export class Gates {
  readonly #clock: Clock;
  readonly #closed = new Map<
    string,
    { readonly until: number; readonly error: ApiError<string> }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  close(name: string, error: ApiError<string>): void {
    if (error.retryAfterSeconds === undefined) return;
    this.#closed.set(name, { until: this.#clock.now() + error.retryAfterSeconds * 1_000, error });
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > most && oldest !== undefined) this.#closed.delete(oldest);
  }

  /** What the service said, with what is left of the wait; undefined when the way is free. */
  find(name: string): ApiError<string> | undefined {
    const gate = this.#closed.get(name);
    if (gate === undefined) return undefined;
    const leftMs = gate.until - this.#clock.now();
    if (leftMs > 0) {
      const { error } = gate;
      return new ApiError(
        { ...refusalOf(error), retryAfterSeconds: Math.ceil(leftMs / 1_000) },
        { id: error.operation },
      );
    }
    this.#closed.delete(name);
    return undefined;
  }
}

function refusalOf({ code, message, status, requestId, fields }: ApiError<string>) {
  return { code, message, status, requestId, fields };
}
