import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { FairSemaphore } from "#kernel/concurrency/fair-semaphore.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

const deriveKey = promisify(argon2);

/** OWASP's first choice of parameters: 19 MiB, two passes, one lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** Each hash takes 19 MiB and about 40 ms of a core: two run at once, 128 wait, and more are refused. */
const limits = { permits: 2, maxWaiting: 128 };

const queueFull = {
  name: "passwordHashing",
  count: limits.maxWaiting,
  windowSeconds: 5,
  retryAfterSeconds: 5,
} as const;

const encoded = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Verified when there is no account, so that timing reveals nothing. No password matches it. */
const matchesNothing = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;

/** argon2id from node:crypto, stored as PHC strings. Concurrent hashes are limited fairly between lanes. */
export function createArgon2(): PasswordHash {
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
        const tag = await deriveKey("argon2id", { ...parameters, message: password, nonce });
        const { memory, passes, parallelism } = parameters;
        return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
      }),
    verify: (password, stored, lane = "") =>
      limited(lane, async () => {
        const [, memory, passes, parallelism, nonce = "", tag = ""] =
          encoded.exec(stored ?? matchesNothing) ?? [];
        if (memory === undefined)
          throw new Error("a stored password hash is not in argon2id format");
        const expected = Buffer.from(tag, "base64");
        const actual = await deriveKey("argon2id", {
          message: password,
          nonce: Buffer.from(nonce, "base64"),
          memory: Number(memory),
          passes: Number(passes),
          parallelism: Number(parallelism),
          tagLength: expected.length,
        });
        return timingSafeEqual(actual, expected) && stored !== undefined;
      }),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
