import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { FairSemaphore } from "#kernel/concurrency/fair-semaphore.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

const deriveKey = promisify(argon2);

/** How much work a hash is. */
export interface Argon2Cost {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's first choice of parameters: 19 MiB, two passes, one lane. */
const recommended: Argon2Cost = { memory: 19_456, passes: 2 };
const [parallelism, tagLength] = [1, 32];

/** Each hash takes 19 MiB and about 40 ms of a core: two run at once, 128 wait, and more are refused. */
const limits = { permits: 2, maxWaiting: 128 };

const queueFull = {
  name: "passwordHashing",
  count: limits.maxWaiting,
  windowSeconds: 5,
  retryAfterSeconds: 5,
} as const;

const encoded = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** argon2id from node:crypto, stored as PHC strings. Concurrent hashes are limited fairly between lanes. */
export function createArgon2({ memory, passes }: Argon2Cost = recommended): PasswordHash {
  const prefix = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
  // Verified when there is no account, so that timing reveals nothing. No password matches it.
  const matchesNothing = `${prefix}$${"A".repeat(22)}$${"A".repeat(43)}`;
  const semaphore = new FairSemaphore(limits);
  const limited = <T>(lane: string, job: () => Promise<T>): Promise<Result<T>> =>
    semaphore.run(
      lane,
      async () => ok(await job()),
      () => refuse("rate_limited", { limit: queueFull }),
    );
  return {
    hash: (password, lane = "") =>
      limited(lane, async () => {
        const nonce = randomBytes(16);
        const cost = { memory, passes, parallelism, tagLength };
        const tag = await deriveKey("argon2id", { ...cost, message: password, nonce });
        return `${prefix}$${base64(nonce)}$${base64(tag)}`;
      }),
    verify: (password, stored, lane = "") =>
      limited(lane, async () => {
        const parts = encoded.exec(stored ?? matchesNothing);
        if (parts === null) throw new Error("a stored password hash is not in argon2id format");
        const [, storedMemory, storedPasses, storedLanes, nonce = "", tag = ""] = parts;
        const expected = Buffer.from(tag, "base64");
        const actual = await deriveKey("argon2id", {
          message: password,
          nonce: Buffer.from(nonce, "base64"),
          memory: Number(storedMemory),
          passes: Number(storedPasses),
          parallelism: Number(storedLanes),
          tagLength: expected.length,
        });
        return timingSafeEqual(actual, expected) && stored !== undefined;
      }),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
