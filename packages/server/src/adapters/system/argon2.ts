import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { PasswordHash } from "#ports/password-hash.ts";
import { createHashQueue } from "./hash-queue.ts";

const deriveKey = promisify(argon2);

/** OWASP's first choice of parameters: 19 MiB, two passes, one lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** Each hash takes 19 MiB and a core for some 40 ms: two run at once, 128 wait, more are refused. */
const bounds = { maxRunning: 2, maxWaiting: 128 };

const encoded = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Compared against when there is no account, so that the work is the same. No password hashes to it. */
const nobody = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;

/** argon2id through Node's own crypto, in PHC strings, with a bounded queue. */
export function createArgon2(): PasswordHash {
  const inQueue = createHashQueue(bounds);
  return {
    hash: (password, lane = "") =>
      inQueue(lane, async () => {
        const nonce = randomBytes(16);
        const tag = await deriveKey("argon2id", { ...parameters, message: password, nonce });
        const { memory, passes, parallelism } = parameters;
        return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
      }),
    verify: (password, stored, lane = "") =>
      inQueue(lane, async () => {
        const [, memory, passes, parallelism, nonce = "", tag = ""] =
          encoded.exec(stored ?? nobody) ?? [];
        if (memory === undefined) throw new Error("a stored password hash is not an argon2id one");
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
