import { limits } from "@ironlease/contract";
import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import type { Core } from "#kernel/core.ts";
import { challengeMs, issueChallenge } from "#kernel/passkeys/challenges.ts";
import { ownerColumn, userHandleOf } from "#kernel/passkeys/owner.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import type { RelyingParty } from "#ports/webauthn.ts";
import { ownerOf, type PasskeyCall } from "./passkey-call.ts";

/** ES256, EdDSA and RS256, the best first. */
const algorithms = [-7, -8, -257];

const serviceName = "Ironlease";

/** Issues options for a new passkey to an owner who has just signed in. */
export async function beginPasskey(core: Core, caller: PasskeyCall, { id: rpId }: RelyingParty) {
  const owner = ownerOf(caller);
  return core.db.write(async (tx): Promise<Result<ReturnType<typeof options>>> => {
    const fresh = requireFreshSignIn(core, caller.signedInAt, "add a passkey");
    if (!fresh.ok) return fresh;
    const existing = await tx
      .selectFrom("passkeys")
      .select(["credential_id", "transports"])
      .where(ownerColumn(owner.side), "=", owner.id)
      .execute();
    if (existing.length >= limits.passkeysPerOwner) return refuse("limit_reached");
    const challenge = await issueChallenge(tx, core, { addTo: owner });
    const user = { id: userHandleOf(owner), name: caller.username, displayName: caller.username };
    return ok(options(rpId, user, challenge, existing));
  });
}

interface User {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
}

interface Existing {
  readonly credential_id: string;
  readonly transports: string;
}

function options(rpId: string, user: User, challenge: string, existing: readonly Existing[]) {
  return {
    rp: { id: rpId, name: serviceName },
    user,
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg }) as const),
    timeout: challengeMs,
    excludeCredentials: existing.map(
      ({ credential_id: id, transports }) =>
        ({ id, type: "public-key", transports: JSON.parse(transports) as string[] }) as const,
    ),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  } as const;
}
