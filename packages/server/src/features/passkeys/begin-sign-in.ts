import type { Client, Core } from "#kernel/core.ts";
import { challengeMs, issueChallenge } from "#kernel/passkeys/challenges.ts";
import type { Side } from "#kernel/passkeys/owner.ts";
import { takeAttempts } from "#kernel/rate-limits.ts";
import { ok } from "#kernel/result.ts";
import type { RelyingParty } from "#ports/webauthn.ts";
import { passkeyAttempts } from "./prove-passkey.ts";

/**
 * Issues options to sign in. Counts as an attempt from this address, which bounds the challenges, and is given back once
 * the sign-in succeeds.
 */
export async function beginPasskeySignIn(
  core: Core,
  client: Client,
  side: Side,
  { id: rpId }: RelyingParty,
) {
  return core.db.write(async (tx) => {
    const attempts = passkeyAttempts(client, side);
    const taken = await takeAttempts(tx, core.rules, attempts, core.clock.now());
    if (!taken.ok) return taken;
    const challenge = await issueChallenge(tx, core, { signInTo: side });
    return ok({ challenge, rpId, timeout: challengeMs, userVerification: "required" } as const);
  });
}
