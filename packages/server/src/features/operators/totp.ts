import { Secret, TOTP } from "otpauth";
import { hashSecret } from "#kernel/access/secrets.ts";
import { normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import type { Tx } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";

/** The parameters that every authenticator app supports: RFC 6238 with SHA-1, six digits, thirty seconds. */
const periodSeconds = 30;
const secretBytes = 20;

/** Accepts one step before and after, for clock drift and slow typing. */
const window = 1;

const sixDigits = /^\d{6}$/;

/** The context in which a secret is sealed, so that it does not open in another operator's row. */
export function totpContext(operatorId: string): string {
  return `totp ${operatorId}`;
}

/** In base 32, as typed into an app. */
export function newTotpSecret(random: Random): string {
  // Copied, because a Buffer may share its memory.
  return new Secret({ buffer: Uint8Array.from(random.bytes(secretBytes)).buffer }).base32;
}

export function otpauthUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

function totpOf(secret: string, label = ""): TOTP {
  const rules = { algorithm: "SHA1", digits: 6, period: periodSeconds };
  return new TOTP({ ...rules, issuer: "Ironlease", label, secret: Secret.fromBase32(secret) });
}

/** The time step of a code that is valid now. Undefined for any other code. */
export function stepOfCode(secret: string, typed: string, now: number): number | undefined {
  const token = withoutSeparators(typed);
  // The library throws on six characters that take more than six bytes.
  if (!sixDigits.test(token)) return undefined;
  const totp = totpOf(secret);
  const delta = totp.validate({ token, timestamp: now, window });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

/** The second factor at sign-in: a code of the app, or a recovery code. */
export type Proof = { readonly step: number } | { readonly recoveryHash: string };

/** Reads a typed code. Only `takeProof` checks that it has not been used before. */
export function readProof(secret: string, typed: string, now: number): Proof | undefined {
  if (!sixDigits.test(withoutSeparators(typed))) {
    return { recoveryHash: hashSecret(normalizeRecoveryCode(typed)) };
  }
  const step = stepOfCode(secret, typed, now);
  return step === undefined ? undefined : { step };
}

/**
 * Uses up a proof and returns whether it was still unused, which is true for only one of many concurrent attempts. A
 * code is refused once it or a later one has been used, even after the clock is set back.
 */
export async function takeProof(tx: Tx, operatorId: string, proof: Proof): Promise<boolean> {
  if ("step" in proof) {
    const taken = await tx
      .updateTable("operators")
      .set({ totp_last_step: proof.step })
      .where("id", "=", operatorId)
      .where("totp_last_step", "<", proof.step)
      .executeTakeFirst();
    return taken.numUpdatedRows === 1n;
  }
  const used = await tx
    .deleteFrom("operator_recovery_codes")
    .where("operator_id", "=", operatorId)
    .where("code_hash", "=", proof.recoveryHash)
    .executeTakeFirst();
  return used.numDeletedRows === 1n;
}

/** Apps show codes as 123 456. */
function withoutSeparators(typed: string): string {
  return typed.replaceAll(/[\s-]/g, "");
}
