import type { Result } from "./result.ts";

/**
 * Slow, salted password hashing. Few hashes run at once, and a full queue refuses with `rate_limited` to bound
 * memory. The queue is fair between lanes: the caller passes one per client, so that a flood from one client does not
 * delay the others. Commands have no client and omit it.
 */
export interface PasswordHash {
  hash(password: string, lane?: string): Promise<Result<string>>;
  /** Without a stored hash, takes equally long and returns false, so that timing reveals nothing. */
  verify(password: string, stored: string | undefined, lane?: string): Promise<Result<boolean>>;
}
