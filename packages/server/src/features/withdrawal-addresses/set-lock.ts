import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { coolDownMs, readLock, writeLock, type WithdrawalLock } from "#kernel/withdrawal-guard.ts";
import type { Result } from "#ports/result.ts";

/**
 * Locks withdrawals at once, or requests their unlock, which takes effect after the cool-down. Repeating a request
 * changes nothing, so a second unlock does not move the time of the first.
 */
export async function setWithdrawalLock(
  core: Core,
  call: CustomerCall,
  locked: boolean,
): Promise<Result<WithdrawalLock>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    await lockAccount(tx, accountId);
    const now = core.clock.now();
    const lock = await readLock(tx, accountId, now);
    const isUnlocking = lock.unlocksAt !== null;
    if (locked ? lock.locked && !isUnlocking : !lock.locked || isUnlocking) return ok(lock);

    const unlocksAt = locked ? null : now + coolDownMs;
    await writeLock(tx, accountId, unlocksAt);
    const step = { tx, core, call };
    const detail = unlocksAt === null ? {} : { unlocksAt: isoTime(unlocksAt) };
    const verb = locked ? "lock" : "unlock";
    await tellContact(step, accountId, { kind: "SECURITY", topic: `withdrawals.${verb}`, detail });
    await audit(step, `withdrawals.${verb}`, accountId, detail);
    return ok({ locked: true, unlocksAt });
  });
}
