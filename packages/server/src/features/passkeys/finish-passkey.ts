import { limits } from "@ironlease/contract";
import { endOtherOperatorSessions } from "#kernel/access/operator-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { takeChallenge } from "#kernel/passkeys/challenges.ts";
import { ownerColumn } from "#kernel/passkeys/owner.ts";
import { insertPasskey } from "#kernel/passkeys/passkeys.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import type { RegistrationAnswer, RelyingParty } from "#ports/webauthn.ts";
import type { PasskeyRecord } from "./list-passkeys.ts";
import { ownerOf, type PasskeyCall } from "./passkey-call.ts";

interface NewPasskey {
  readonly name: string;
  readonly credential: RegistrationAnswer;
  readonly relyingParty: RelyingParty;
}

/** Adds the passkey that the browser has created. Its challenge proves that the sign-in was fresh. */
export async function finishPasskey(
  core: Core,
  caller: PasskeyCall,
  { name, credential, relyingParty }: NewPasskey,
): Promise<Result<PasskeyRecord>> {
  const owner = ownerOf(caller);
  const { clientDataJSON, transports = [] } = credential.response;
  const taken = await takeChallenge(core, clientDataJSON, { addTo: owner });
  if (!taken.ok) return taken;
  const challenge = taken.value;
  const verified =
    challenge === undefined
      ? undefined
      : await core.webauthn.verifyRegistration(credential, { challenge, relyingParty });
  if (verified === undefined) return refuse("invalid_credentials", { message: startOver });

  return core.db.write<PasskeyRecord>(
    async (tx) => {
      // Safe to count: the check of the caller's access has locked the owner's row.
      const { added } = await tx
        .selectFrom("passkeys")
        .select((eb) => eb.fn.countAll<number>().as("added"))
        .where(ownerColumn(owner.side), "=", owner.id)
        .executeTakeFirstOrThrow();
      if (added >= limits.passkeysPerOwner) return refuse("limit_reached");
      const id = core.ids.next("passkey");
      const createdAt = core.clock.now();
      await insertPasskey(tx, owner, {
        id,
        name,
        credential_id: verified.credentialId,
        public_key: verified.publicKey,
        counter: verified.counter,
        transports: JSON.stringify(transports),
        backed_up: verified.isBackedUp ? 1 : 0,
        created_at: createdAt,
      });
      const step = { tx, core, call: caller.call };
      if (owner.side === "account") {
        await tellContact(step, owner.id, { kind: "SECURITY", topic: "passkey.added" });
      } else {
        // They were started without this factor.
        await endOtherOperatorSessions(tx, owner.id, caller.sessionId);
      }
      await audit(step, "passkey.add", id);
      return ok({ id, name, createdAt, lastUsedAt: null });
    },
    {
      passkeys_credential_id_unique: { code: "conflict", message: "This passkey exists already." },
    },
  );
}

const startOver = "The passkey could not be verified, or it took too long. Start over.";
