import { randomBytes, randomFillSync } from "node:crypto";
import type { Random } from "#ports/random.ts";

/** Random bytes read ahead: a system call costs the same for 16 bytes as for a thousand, and every row needs an id. */
const pool = Buffer.alloc(4_096);
const maxPooled = 32;
let next = pool.length;

export const systemRandom: Random = {
  bytes: (count) => {
    if (count > maxPooled) return randomBytes(count);
    if (next + count > pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const bytes = Buffer.from(pool.subarray(next, next + count));
    // These bytes may become a secret, so the pool must not keep them.
    pool.fill(0, next, next + count);
    next += count;
    return bytes;
  },
};
