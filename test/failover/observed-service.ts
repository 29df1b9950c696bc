import type { Answer, Send } from "#test/https-client.ts";
import type { Service } from "../power-cuts/client.ts";

/** Notes when the service acknowledges writes, and what it answers. */
export class ObservedService implements Service {
  readonly send: Send;
  readonly sendToDesk: Send;
  /** How often each status was answered. */
  readonly statuses = new Map<number, number>();
  /** Times at which a write was acknowledged. */
  readonly #acknowledged: number[] = [];

  constructor({ send, sendToDesk }: Service) {
    const observed =
      (wrapped: Send): Send =>
      async (...request) => {
        const startedAt = performance.now();
        const answer = await wrapped(...request);
        this.#note(request[0], answer, startedAt);
        return answer;
      };
    this.send = observed(send);
    this.sendToDesk = observed(sendToDesk);
  }

  /** How many writes that were sent since then have been acknowledged. */
  acknowledgedSince(time: number): number {
    return this.#startedAt.filter((startedAt) => startedAt >= time).length;
  }

  /** The longest time without an acknowledged write in a period. */
  longestGapMs(from: number, to: number): number {
    const within = this.#acknowledged.filter((time) => time > from && time < to);
    const times = [from, ...within, to];
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
  }

  readonly #startedAt: number[] = [];

  #note(method: string, { status }: Answer, startedAt: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (method === "GET" || status >= 300) return;
    this.#acknowledged.push(performance.now());
    this.#startedAt.push(startedAt);
  }
}
