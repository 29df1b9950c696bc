import { FairSemaphore } from "#kernel/concurrency/fair-semaphore.ts";
import { Overloaded } from "#ports/db.ts";

/** A client may send a thousand requests with one idempotency key, and each must be answered. */
const maxWaitingPerLane = 2_000;
/** A longer queue means that the database has stopped answering. */
const maxWaiting = 10_000;

/** The lane of writes without an owner: background jobs and commands. */
const unowned = "";

export interface WriteSlotsOptions {
  /** How many writes run at once. */
  readonly slots: number;
  /** How long a write waits while no write of its owner finishes. */
  readonly waitMs: number;
}

/** A fair semaphore with a lane per owner, so that one owner's stuck writes leave slots for the others. */
export class WriteSlots {
  readonly #semaphore: FairSemaphore;

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

  run<T>(owner: string = unowned, write: () => Promise<T>): Promise<T> {
    return this.#semaphore.run(owner, write, (reason) => {
      throw new Overloaded(
        reason === "full"
          ? "too many writes are waiting"
          : "the write waited too long for a connection",
      );
    });
  }
}
