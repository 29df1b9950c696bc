import { audit } from "#kernel/audit.ts";
import { countAttempts } from "#kernel/access/password-attempts.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import type { Step } from "#kernel/call.ts";
import type { Client, Core } from "#kernel/core.ts";
import type { Attempt } from "#kernel/rate-limits.ts";
import { refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { guessAtSignIn, type FactorOwner } from "./owner.ts";
import { takeProof } from "./stored-factor.ts";
import { isAppCode, readProof, totpContext, type Proof } from "./totp.ts";

interface Typed {
  readonly owner: FactorOwner;
  /** The sealed secret that was read with the password. */
  readonly sealed: string;
  /** A code of the app, or a recovery code. Undefined if the request has none. */
  readonly totp: string | undefined;
}

/** A code that was read. It counts as a guess until the sign-in takes it. */
export interface ReadProof {
  readonly owner: FactorOwner;
  readonly proof: Proof;
  readonly guess: Attempt;
}

/**
 * Checks the second factor of a sign-in whose password was right. `signIn` must take the proof. Wrong codes count per
 * owner, from any address, so that an attacker with a stolen password cannot guess from many addresses. As with
 * passwords, a guess is counted before it is checked.
 */
export async function trySecondFactor<T>(
  core: Core,
  client: Client,
  { owner, sealed, totp }: Typed,
  signIn: (read: ReadProof) => Promise<Result<T>>,
): Promise<Result<T>> {
  // No code was guessed, so nothing counts. The field makes the client ask for one.
  if (totp === undefined) {
    const fields = [{ field: "totp", message: "is required" }];
    return refuse("second_factor_required", { message: sendTheCode, fields });
  }
  // Opened first, so that no guess counts that a missing key prevents from being checked. A recovery code needs no key.
  const secret = isAppCode(totp) ? await core.sealing.open(sealed, totpContext(owner.id)) : "";
  const guess = guessAtSignIn(owner);
  const counted = await countAttempts(core, [guess]);
  if (!counted.ok) return counted;
  const proof = readProof(secret, totp, core.clock.now());
  if (proof !== undefined) {
    const signedIn = await signIn({ owner, proof, guess });
    if (signedIn.ok) return signedIn;
  }
  return refuseAccess(core, client, {
    action: `${owner.kind}.refuse_second_factor`,
    ownerId: owner.id,
    message: wrongCode,
  });
}

const sendTheCode = "Send the current code of your authenticator app, or a recovery code, as totp.";
const wrongCode =
  "The code is incorrect or has already been used. Wait for the next one, or send a recovery code.";

/** Uses up the proof, and records the use of a recovery code. False when the proof has been used before. */
export async function useProof(step: Step, { owner, proof }: ReadProof): Promise<boolean> {
  if (!(await takeProof(step.tx, owner, proof))) return false;
  if ("recoveryHash" in proof) await audit(step, `${owner.kind}.use_recovery_code`, owner.id);
  return true;
}
