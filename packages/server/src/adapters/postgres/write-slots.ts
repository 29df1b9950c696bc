import { FairSemaphore } from "#kernel/concurrency/fair-semaphore.ts";
import { Overloaded } from "#ports/db.ts";

/** A thousand concurrent requests with one idempotency key share an account, and all must be answered. */
const maxWaitingPerOwner = 2_000;
/** A longer queue means that the database has stalled: refuse further writes instead of using more memory. */
const maxWaiting = 10_000;

/** The lane of writes without an owner: background jobs and commands. */
const unowned = "";

export interface WriteSlotsOptions {
  /** How many writes run at once. */
  readonly slots: number;
  /** How long a write may wait while no other write of its owner finishes. */
  readonly waitMs: number;
}

interface Line {
  running: number;
  /** How many of the owner's writes have finished. */
  ended: number;
  readonly waiting: Set<() => void>;
}

/**
 * A semaphore that is fair between owners. Each owner may use only some of the slots, so that one whose writes are
 * stuck cannot block the others. Waiting owners take turns (round robin), however many writes each has queued.
 */
export class WriteSlots {
  readonly #waitMs: number;
  readonly #maxOwned: number;
  readonly #maxUnowned: number;
  #free: number;
  #waiting = 0;
  /** In round-robin order. */
  readonly #lines = new Map<string, Line>();

  constructor({ slots, waitMs }: WriteSlotsOptions) {
    const maxOwned = Math.max(1, Math.floor(slots / 2));
    const maxUnowned = Math.max(1, slots - 1);
    this.#semaphore = new FairSemaphore({
      permits: slots,
      permitsOf: (owner) => (owner === unowned ? maxUnowned : maxOwned),
      maxWaiting,
      maxWaitingPerLane,
      waitMs,
    });
  }

  async run<T>(owner: string = unowned, work: () => Promise<T>): Promise<T> {
    await this.#enter(owner);
    try {
      return await work();
    } finally {
      this.#leave(owner);
    }
  }

  #enter(owner: string): Promise<void> {
    const line = this.#lines.get(owner) ?? {
      running: 0,
      ended: 0,
      waiting: new Set(),
    };
    // A free slot means that every waiting owner has reached its own limit, so nobody is overtaken.
    if (this.#free > 0 && line.running < this.#maxOf(owner)) {
      this.#lines.set(owner, line);
      this.#take(line);
      return Promise.resolve();
    }
    if (line.waiting.size >= maxWaitingPerOwner || this.#waiting >= maxWaiting) {
      return Promise.reject(new Overloaded("too many writes are waiting"));
    }
    this.#lines.set(owner, line);
    return this.#wait(owner, line);
  }

  #wait(owner: string, line: Line): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    // A thousand writes of one owner may wait longer than the limit, as long as the queue moves.
    let endedBefore = line.ended;
    const giveUpUnlessMoving = () => {
      if (line.ended > endedBefore) {
        endedBefore = line.ended;
        timer = setTimeout(giveUpUnlessMoving, this.#waitMs);
        return;
      }
      this.#stopWaiting(line, start);
      this.#forgetIfEmpty(owner, line);
      reject(new Overloaded("the write waited too long for its turn"));
    };
    let timer = setTimeout(giveUpUnlessMoving, this.#waitMs);
    line.waiting.add(start);
    this.#waiting += 1;
    return promise;
  }

  #leave(owner: string): void {
    const line = this.#lines.get(owner);
    if (line === undefined) return;
    line.running -= 1;
    line.ended += 1;
    this.#free += 1;
    this.#forgetIfEmpty(owner, line);
    this.#startNext();
  }

  #startNext(): void {
    for (const [owner, line] of this.#lines) {
      const [start] = line.waiting;
      if (start === undefined || line.running >= this.#maxOf(owner)) continue;
      // Move the owner to the end of the round.
      this.#lines.delete(owner);
      this.#lines.set(owner, line);
      this.#stopWaiting(line, start);
      this.#take(line);
      start();
      return;
    }
  }

  #take(line: Line): void {
    line.running += 1;
    this.#free -= 1;
  }

  #stopWaiting(line: Line, start: () => void): void {
    line.waiting.delete(start);
    this.#waiting -= 1;
  }

  #forgetIfEmpty(owner: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(owner);
  }

  #maxOf(owner: string): number {
    return owner === unowned ? this.#maxUnowned : this.#maxOwned;
  }
}
