/**
 * A semaphore per key: at most `permits` jobs with the same key run at once, and the rest wait in order of
 * arrival. When too many wait, further jobs run without a permit: the semaphore saves work and enforces no
 * limit.
 */
export type KeyedSemaphore = <T>(key: string, permits: number, job: () => Promise<T>) => Promise<T>;

const maxWaiting = 1_000;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

export function createKeyedSemaphore(): KeyedSemaphore {
  const queues = new Map<string, Queue>();
  return async (key, permits, job) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.waiting.length >= maxWaiting) return job();
    if (queue.running >= permits) await new Promise<void>((start) => queue.waiting.push(start));
    else queue.running += 1;
    try {
      return await job();
    } finally {
      // Hands the permit to the next waiting job, or releases it.
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else {
        queue.running -= 1;
        if (queue.running === 0) queues.delete(key);
      }
    }
  };
}
