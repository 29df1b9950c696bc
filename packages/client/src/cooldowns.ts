import { ApiError } from "./errors.ts";
import type { Clock } from "./wire.ts";

/** The maximum number of entries. The oldest are dropped first. */
const most = 100;

/**
 * Blocks calls until the service's Retry-After has passed. Sign-in attempts are counted, so more
 * requests would only prolong the wait.
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #running = new Map<
    string,
    { readonly until: number; readonly error: ApiError<string> }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(name: string, error: ApiError<string>): void {
    if (error.retryAfterSeconds === undefined) return;
    this.#running.set(name, { until: this.#clock.now() + error.retryAfterSeconds * 1_000, error });
    const [oldest] = this.#running.keys();
    if (this.#running.size > most && oldest !== undefined) this.#running.delete(oldest);
  }

  /** Returns the 429 with the remaining wait, or undefined when calls are allowed. */
  find(name: string): ApiError<string> | undefined {
    const cooldown = this.#running.get(name);
    if (cooldown === undefined) return undefined;
    const leftMs = cooldown.until - this.#clock.now();
    if (leftMs > 0) {
      const { error } = cooldown;
      return new ApiError(
        { ...refusalOf(error), retryAfterSeconds: Math.ceil(leftMs / 1_000) },
        { id: error.operation },
      );
    }
    this.#running.delete(name);
    return undefined;
  }
}

function refusalOf({ code, message, status, requestId, fields }: ApiError<string>) {
  return { code, message, status, requestId, fields };
}
