import { clientLane } from "#kernel/access/client-network.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import type { Client, Core } from "#kernel/core.ts";
import { takeChallenge } from "#kernel/passkeys/challenges.ts";
import { userHandleOf, type Side } from "#kernel/passkeys/owner.ts";
import { findPasskey, recordUse, type StoredPasskey } from "#kernel/passkeys/passkeys.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { refuse } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { AssertionAnswer, RelyingParty } from "#ports/webauthn.ts";

export interface PasskeySignIn {
  readonly credential: AssertionAnswer;
  readonly relyingParty: RelyingParty;
  /** The session that came with the request. It ends, so that sessions do not accumulate. */
  readonly presentedSessionToken: string | undefined;
}

/** How one side signs in. */
interface SignInSide<Owner, Session> {
  readonly side: Side;
  /** Locks the owner. Undefined if they may not sign in. */
  readonly lock: (tx: Tx, ownerId: string) => Promise<Owner | undefined>;
  readonly start: (tx: Tx, owner: Owner, passkey: StoredPasskey) => Promise<Session>;
}

const refusedAction = { account: "session.refuse", operator: "operator.refuse_sign_in" } as const;

/** Starts a session, given an answer that one of this side's passkeys has signed. Every refusal is the same. */
export async function provePasskey<Owner, Session>(
  core: Core,
  client: Client,
  { credential, relyingParty }: PasskeySignIn,
  { side, lock, start }: SignInSide<Owner, Session>,
): Promise<Result<Session>> {
  const { clientDataJSON, userHandle } = credential.response;
  const taken = await takeChallenge(core, clientDataJSON, { signInTo: side });
  if (!taken.ok) return taken;
  const challenge = taken.value;
  // Not recorded, because no rate limit bounds such requests.
  if (challenge === undefined) return refuse("invalid_credentials");

  const passkey = await findPasskey(core.db.read, side, credential.id);
  const refused = { action: refusedAction[side], ownerId: passkey?.owner.id } as const;
  if (passkey === undefined || userHandle !== userHandleOf(passkey.owner)) {
    return refuseAccess(core, client, refused);
  }
  const { publicKey } = passkey;
  const expected = { challenge, relyingParty, publicKey };
  const use = await core.webauthn.verifyAssertion(credential, expected);
  if (use === undefined) return refuseAccess(core, client, refused);

  const started = await core.db.write<Session>(async (tx) => {
    const owner = await lock(tx, passkey.owner.id);
    if (owner === undefined) return refuse("invalid_credentials");
    const isUsed = await recordUse(tx, passkey.id, { ...use, now: core.clock.now() });
    if (!isUsed) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, passkeyAttempts(client, side));
    return { ok: true, value: await start(tx, owner, passkey) };
  });
  if (started.ok || started.refusal.code !== "invalid_credentials") return started;
  const isCopied = passkey.counter > 0 && use.counter <= passkey.counter;
  return refuseAccess(
    core,
    client,
    isCopied ? { ...refused, action: "passkey.refuse_counter" } : refused,
  );
}

/** A passkey names its owner only in its answer, so attempts count per address. */
export function passkeyAttempts(client: Client, side: Side): readonly Attempt[] {
  return [{ limit: "signInPerAddress", subject: clientLane(client, side) }];
}
