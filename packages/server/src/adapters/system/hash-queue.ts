import { ok, refuse, type Result } from "#ports/result.ts";

/** Runs the job when it is the lane's turn, or refuses with `rate_limited` when the queue is full. */
export type HashQueue = <T>(lane: string, job: () => Promise<T>) => Promise<Result<T>>;

export interface QueueBounds {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

type Admit = (isAdmitted: boolean) => void;

/**
 * Fair queueing: lanes take turns (round robin), and a full queue drops the newest job of its longest
 * lane. A lane that floods the queue waits behind itself, and never keeps another lane out.
 */
export function createHashQueue({ maxRunning, maxWaiting }: QueueBounds): HashQueue {
  // A Map keeps insertion order: the lane whose turn is next comes first.
  const lanes = new Map<string, Admit[]>();
  let running = 0;
  let waiting = 0;

  const makeRoomFor = (lane: string): boolean => {
    const longest = [...lanes.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    // Dropping evens the lanes out; it must not put the newcomer ahead of the lane that loses a job.
    if (longest.length <= (lanes.get(lane)?.length ?? 0) + 1) return false;
    waiting -= 1;
    longest.pop()?.(false);
    return true;
  };
  const enter = async (lane: string): Promise<boolean> => {
    if (running < maxRunning) {
      running += 1;
      return true;
    }
    if (waiting >= maxWaiting && !makeRoomFor(lane)) return false;
    waiting += 1;
    return new Promise<boolean>((admit) => {
      const own = lanes.get(lane);
      if (own === undefined) lanes.set(lane, [admit]);
      else own.push(admit);
    });
  };
  /** Hands the place to the next lane's oldest job, and that lane goes to the end of the line. */
  const leave = () => {
    const next = lanes.entries().next().value;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [lane, jobs] = next;
    const admit = jobs.shift();
    lanes.delete(lane);
    if (jobs.length > 0) lanes.set(lane, jobs);
    waiting -= 1;
    admit?.(true);
  };

  return async (lane, job) => {
    if (!(await enter(lane))) return refuse("rate_limited", { limit: fullQueue(maxWaiting) });
    try {
      return ok(await job());
    } finally {
      leave();
    }
  };
}

function fullQueue(count: number) {
  return { name: "passwordHashing", count, windowSeconds: 5, retryAfterSeconds: 5 } as const;
}
