import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** An attacker who finds an open session is unlikely to find one this recent. */
const freshMs = 15 * 60_000;

/** Refuses a change of how to sign in, unless the session has just been started. */
export function requireFreshSignIn(core: Core, signedInAt: number, change: string): Result<void> {
  if (core.clock.now() < signedInAt + freshMs) return ok();
  return refuse("conflict", {
    message: `Sign out and in again. You can ${change} only within 15 minutes of signing in.`,
  });
}
