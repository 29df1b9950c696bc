export interface FairSemaphoreOptions {
  /** How many jobs run at once. */
  readonly permits: number;
  /** How many of them one lane may hold. Without it, a lane may hold all of them. */
  readonly permitsOf?: (lane: string) => number;
  readonly maxWaiting: number;
  readonly maxWaitingPerLane?: number;
  /** How long a job waits while no job of its lane finishes. Without it, jobs wait without limit. */
  readonly waitMs?: number;
}

/** Why a job did not run: the queue was full, or the job waited too long. */
export type NotRun = "full" | "timeout";

interface Lane {
  running: number;
  finished: number;
  /** In order of arrival. Each is called with undefined to start its job. */
  readonly waiting: ((notRun: NotRun | undefined) => void)[];
}

/**
 * A semaphore that is fair between lanes. Lanes take turns (round robin) however many jobs each has waiting,
 * and a full queue drops the newest job of its longest lane. A flood in one lane only delays that lane.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  #free: number;
  #waiting = 0;
  /** Lanes with a running or waiting job. Of those that wait, the first is served next. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.permits;
  }

  /** Runs the job when its lane gets a permit. For a job that gets none, returns or throws what `onNotRun` does. */
  async run<T>(lane: string, job: () => Promise<T>, onNotRun: (reason: NotRun) => T): Promise<T> {
    const notRun = await this.#acquire(lane);
    if (notRun !== undefined) return onNotRun(notRun);
    try {
      return await job();
    } finally {
      this.#release(lane);
    }
  }

  async #acquire(name: string): Promise<NotRun | undefined> {
    const lane = this.#lanes.get(name) ?? { running: 0, finished: 0, waiting: [] };
    // While a permit is free, every lane that waits has reached its own limit.
    if (this.#free > 0 && this.#mayStart(name, lane)) {
      this.#lanes.set(name, lane);
      this.#take(lane);
      return undefined;
    }
    const { maxWaiting, maxWaitingPerLane = Infinity } = this.#options;
    const isLaneFull = lane.waiting.length >= maxWaitingPerLane;
    if (isLaneFull || (this.#waiting >= maxWaiting && !this.#makeRoomFor(lane))) return "full";
    if (lane.waiting.length === 0) this.#moveToBack(name, lane);
    return this.#wait(name, lane);
  }

  /** Drops the newest job of the longest lane, unless that would only put the newcomer in its place. */
  #makeRoomFor({ waiting }: Lane): boolean {
    let longest = waiting;
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length > longest.length) longest = lane.waiting;
    }
    if (longest.length <= waiting.length + 1) return false;
    this.#waiting -= 1;
    longest.pop()?.("full");
    return true;
  }

  #wait(name: string, lane: Lane): Promise<NotRun | undefined> {
    const { promise, resolve } = Promise.withResolvers<NotRun | undefined>();
    const { waitMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const settle = (notRun: NotRun | undefined) => {
      clearTimeout(timer);
      resolve(notRun);
    };
    // A long lane may wait for longer than the limit as long as its jobs finish.
    const giveUpUnlessMoving = (finishedBefore: number) => {
      timer = setTimeout(() => {
        if (lane.finished > finishedBefore) {
          giveUpUnlessMoving(lane.finished);
          return;
        }
        lane.waiting.splice(lane.waiting.indexOf(settle), 1);
        this.#waiting -= 1;
        this.#deleteIfIdle(name, lane);
        settle("timeout");
      }, waitMs);
    };
    if (waitMs !== undefined) giveUpUnlessMoving(lane.finished);
    lane.waiting.push(settle);
    this.#waiting += 1;
    return promise;
  }

  #release(name: string): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.running -= 1;
    lane.finished += 1;
    this.#free += 1;
    this.#deleteIfIdle(name, lane);
    this.#startNext();
  }

  #startNext(): void {
    for (const [name, lane] of this.#lanes) {
      if (lane.waiting.length === 0 || !this.#mayStart(name, lane)) continue;
      this.#moveToBack(name, lane);
      this.#take(lane);
      this.#waiting -= 1;
      lane.waiting.shift()?.(undefined);
      return;
    }
  }

  #mayStart(name: string, { running }: Lane): boolean {
    return running < (this.#options.permitsOf?.(name) ?? Infinity);
  }

  #take(lane: Lane): void {
    lane.running += 1;
    this.#free -= 1;
  }

  #moveToBack(name: string, lane: Lane): void {
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }

  #deleteIfIdle(name: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
  }
}
