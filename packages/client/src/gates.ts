import { ApiError } from "./errors.ts";
import type { Clock } from "./wire.ts";

/** The maximum number of entries. The oldest are dropped first. */
const most = 100;

/**
 * Blocks calls until the service's Retry-After has passed. Sign-in attempts are counted, so more
 * requests would only prolong the wait.
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

  /** Returns the 429 with the remaining wait, or undefined when calls are allowed. */
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
