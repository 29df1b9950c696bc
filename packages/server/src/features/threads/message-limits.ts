import { limits } from "@ironlease/contract";
import type { CustomerCall, Step } from "#kernel/call.ts";
import { takeAttempts } from "#kernel/rate-limits.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Counts one message of the customer against the daily limit. */
export function takeMessage({ tx, core, call }: Step<CustomerCall>): Promise<Result<void>> {
  const attempt = { limit: "messagesPerAccount", subject: call.accountId } as const;
  return takeAttempts(tx, core.rules, [attempt], core.clock.now());
}

/**
 * Refuses one more open thread than the limit. The caller holds the account's row, so no other thread opens between the
 * count and the insert. Threads with a topic do not count: the service opens them.
 */
export async function checkOpenThreads({ tx, call }: Step<CustomerCall>): Promise<Result<void>> {
  const { open } = await tx
    .selectFrom("threads")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("account_id", "=", call.accountId)
    .where("state", "=", "OPEN")
    .where("opened_by", "=", "CUSTOMER")
    .where("topic", "is", null)
    .executeTakeFirstOrThrow();
  if (open < limits.openThreadsPerAccount) return ok();
  return refuse("limit_reached", {
    message: `You have ${limits.openThreadsPerAccount} open threads, the maximum. Close one, or continue one of them.`,
  });
}
