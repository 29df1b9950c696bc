import type { Result } from "./result.ts";

/**
 * Slow, salted hashing of passwords. Both calls are bounded in how many run at once; when the queue
 * is full they refuse with `rate_limited` instead of piling up memory. Lanes of the queue take turns:
 * the caller names one per client, so that one client's flood does not delay the others. Commands have
 * no client and leave it out.
 */
export interface PasswordHash {
  hash(password: string, lane?: string): Promise<Result<string>>;
  /** With no stored hash it does the same work and says no, so that timing tells nothing. */
  verify(password: string, stored: string | undefined, lane?: string): Promise<Result<boolean>>;
}
