import { audit } from "#kernel/audit.ts";
import type { CustomerCall, OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { closeAnyThread, closeOwnThread, markThreadRead } from "#kernel/threads.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** The customer closes one of their threads. Either side's next message opens it again. */
export async function closeThread(
  core: Core,
  call: CustomerCall,
  threadId: string,
): Promise<Result<void>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    if (!(await closeOwnThread(tx, { threadId, accountId }))) return refuse("not_found");
    await audit({ tx, core, call }, "thread.close", threadId);
    return ok();
  });
}

/** Not audited: it changes only what the customer's own list marks as new. */
export async function readUpTo(
  core: Core,
  { accountId }: CustomerCall,
  threadId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) =>
    (await markThreadRead(tx, { threadId, accountId })) ? ok() : refuse("not_found"),
  );
}

/** An operator closes any thread. */
export async function closeForCustomer(
  core: Core,
  call: OperatorCall,
  threadId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await closeAnyThread(tx, threadId))) return refuse("not_found");
    await audit({ tx, core, call }, "thread.close", threadId);
    return ok();
  });
}
