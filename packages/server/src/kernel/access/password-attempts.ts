import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { Core } from "#kernel/core.ts";
import { giveBackAttempts, takeAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { createKeyedSemaphore } from "#kernel/concurrency/semaphore.ts";

/** Sign-ins in progress in this process, by rate-limit subject. */
const withPermit = createKeyedSemaphore();

/**
 * Caps concurrent attempts at the failure limit, so that many correct sign-ins at once wait for each other instead of
 * being refused.
 */
export function capConcurrentAttempts<T>(
  core: Core,
  attempts: readonly Attempt[],
  work: () => Promise<T>,
): Promise<T> {
  const waitFor = (run: () => Promise<T>, { limit, subject }: Attempt) => {
    const atOnce = core.rules.rateLimits?.[limit].count ?? Number.POSITIVE_INFINITY;
    return () => withPermit(`${limit} ${subject}`, atOnce, run);
  };
  return attempts.reduceRight(waitFor, work)();
}

/** The rate limits a password counts against, and its lane in the hash queue. */
interface Guarded {
  readonly attempts: readonly Attempt[];
  readonly lane: string;
}

interface CheckedPassword<Owner> {
  readonly owner: Owner | undefined;
  readonly isRight: boolean;
}

/**
 * Verifies a password. The attempt is counted first, so that concurrent guesses cannot exceed the limit. The caller
 * gives it back once the whole sign-in succeeds. An unknown owner costs the same work.
 */
export async function tryPassword<Owner extends { readonly password_hash: string }>(
  core: Core,
  { attempts, lane }: Guarded,
  password: string,
  findOwner: () => Promise<Owner | undefined>,
): Promise<Result<CheckedPassword<Owner>>> {
  const taken = await countAttempts(core, attempts);
  if (!taken.ok) return taken;
  const owner = await findOwner();
  const verified = await core.passwords.verify(password, owner?.password_hash, lane);
  if (!verified.ok) {
    // The hash queue is full: the password was not verified, so the attempt does not count.
    await uncountAttempts(core, attempts);
    return verified;
  }
  return ok({ owner, isRight: verified.value });
}

/** Hashes a new password. If the hash queue is full, the attempts are given back. */
export async function hashNewPassword(
  core: Core,
  { attempts, lane }: Guarded,
  password: string,
): Promise<Result<string>> {
  const hashed = await core.passwords.hash(password, lane);
  if (!hashed.ok) await uncountAttempts(core, attempts);
  return hashed;
}

/** Counts all attempts, or refuses and counts none. Committed before the guarded work begins. */
export function countAttempts(core: Core, attempts: readonly Attempt[]): Promise<Result<void>> {
  return core.db.write((tx) => takeAttempts(tx, core.rules, attempts, core.clock.now()));
}

export async function uncountAttempts(core: Core, attempts: readonly Attempt[]): Promise<void> {
  await core.db.write(async (tx) => {
    await giveBackAttempts(tx, core.rules, attempts);
    return ok();
  });
}
