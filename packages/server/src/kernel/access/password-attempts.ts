import { ok, type Result } from "#ports/result.ts";
import type { Core } from "#kernel/core.ts";
import { giveBackAttempts, takeAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { createTurns } from "#kernel/concurrency/semaphore.ts";

/** Sign-ins that are being looked at in this process, by what they count against. */
const inTurn = createTurns();

/**
 * No more are looked at at once than may fail, so that many right ones at the same moment wait for
 * each other instead of being refused.
 */
export function inTurnUnder<T>(
  core: Core,
  attempts: readonly Attempt[],
  work: () => Promise<T>,
): Promise<T> {
  const waitFor = (run: () => Promise<T>, { limit, subject }: Attempt) => {
    const atOnce = core.rules.rateLimits?.[limit].count ?? Number.POSITIVE_INFINITY;
    return () => inTurn(`${limit} ${subject}`, atOnce, run);
  };
  return attempts.reduceRight(waitFor, work)();
}

/** What a password counts against, and which lane of the hash queue it waits in. */
interface Guarded {
  readonly attempts: readonly Attempt[];
  readonly lane: string;
}

interface Looked<Owner> {
  readonly owner: Owner | undefined;
  readonly isRight: boolean;
}

/**
 * Looks at a password. The attempt is counted before and is for the caller to give back when all was
 * right, so that concurrent guesses cannot outrun the limit. For nobody the work is the same.
 */
export async function tryPassword<Owner extends { readonly password_hash: string }>(
  core: Core,
  { attempts, lane }: Guarded,
  password: string,
  findOwner: () => Promise<Owner | undefined>,
): Promise<Result<Looked<Owner>>> {
  const taken = await countAttempts(core, attempts);
  if (!taken.ok) return taken;
  const owner = await findOwner();
  const verified = await core.passwords.verify(password, owner?.password_hash, lane);
  if (!verified.ok) {
    // The queue is full: the password was never examined, so the attempt does not count.
    await uncountAttempts(core, attempts);
    return verified;
  }
  return ok({ owner, isRight: verified.value });
}

/** Hashes a new password. When the queue is full, the attempts that were taken for it are given back. */
export async function hashNewPassword(
  core: Core,
  { attempts, lane }: Guarded,
  password: string,
): Promise<Result<string>> {
  const hashed = await core.passwords.hash(password, lane);
  if (!hashed.ok) await uncountAttempts(core, attempts);
  return hashed;
}

/** Counts the attempts, or refuses and counts none; durable before the work that they guard begins. */
export function countAttempts(core: Core, attempts: readonly Attempt[]): Promise<Result<void>> {
  return core.db.write((tx) => takeAttempts(tx, core.rules, attempts, core.clock.now()));
}

export async function uncountAttempts(core: Core, attempts: readonly Attempt[]): Promise<void> {
  await core.db.write(async (tx) => {
    await giveBackAttempts(tx, core.rules, attempts);
    return ok();
  });
}
