import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { beginSetup, type BegunTotp, type Setup } from "#kernel/second-factor/set-up.ts";
import type { Result } from "#ports/result.ts";

/** The session that changes the second factor. */
export interface RecentSession {
  readonly sessionId: string;
  readonly username: string;
  readonly signedInAt: number;
}

/** Issues a new secret to a customer who has just signed in. It takes effect once a code confirms it. */
export async function beginTotp(
  core: Core,
  call: CustomerCall,
  session: RecentSession,
): Promise<Result<BegunTotp>> {
  const recent = requireFreshSignIn(core, session.signedInAt, "change the second factor");
  return recent.ok ? beginSetup(core, setupOf(call, session)) : recent;
}

export function setupOf(call: CustomerCall, { username }: RecentSession): Setup<CustomerCall> {
  return {
    owner: { kind: "account", id: call.accountId, username },
    call,
    ifPresent: "The second factor is already set up. To replace it, remove it first.",
  };
}
