import type { EndingServer } from "#kernel/end-server.ts";
import type { ServerState, Term } from "#ports/schema.ts";

/** A delivered server whose period has ended. */
export interface DueServer extends EndingServer {
  readonly state: ServerState;
  readonly term: Term;
  /** The machine and the accepted DDoS quote together. */
  readonly renewalCents: number;
  readonly autoRenew: number;
  readonly paidThrough: number;
  readonly graceUntil: number;
}

/** A position in the order of due periods: earliest first, then by id. */
export interface DuePosition {
  readonly paidThrough: number;
  readonly id: string;
}

/** Before every due period. */
export const beforeAll: DuePosition = { paidThrough: Number.MIN_SAFE_INTEGER, id: "" };

export function isBefore(a: DuePosition, b: DuePosition): boolean {
  return a.paidThrough < b.paidThrough || (a.paidThrough === b.paidThrough && a.id < b.id);
}

/** Due servers, earliest first. A server that is still due after a step goes back into the queue. */
export class DueQueue {
  readonly #servers: DueServer[];

  constructor(servers: readonly DueServer[] = []) {
    this.#servers = servers.toSorted((a, b) => (isBefore(a, b) ? 1 : -1));
  }

  /** Sorted with the earliest last, because it is taken from the end. */
  next(): DueServer | undefined {
    return this.#servers.at(-1);
  }

  take(): DueServer | undefined {
    return this.#servers.pop();
  }

  put(server: DueServer): void {
    let [low, high] = [0, this.#servers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.#servers[middle];
      if (there !== undefined && isBefore(server, there)) low = middle + 1;
      else high = middle;
    }
    this.#servers.splice(low, 0, server);
  }
}
