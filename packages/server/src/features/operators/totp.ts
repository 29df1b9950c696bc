import { Secret, TOTP } from "otpauth";
import { hashSecret } from "#kernel/access/secrets.ts";
import { normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import type { Tx } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";

/** What every authenticator app knows: RFC 6238 with SHA-1, six digits, thirty seconds. */
const periodSeconds = 30;
const secretBytes = 20;

/** A clock or a typist may be one step off, either way. */
const window = 1;

const sixDigits = /^\d{6}$/;

/** What an operator's secret is sealed for: moved to another operator's row it opens no more. */
export function totpPlace(operatorId: string): string {
  return `totp ${operatorId}`;
}

/** In base 32, as it is typed into an app. */
export function newTotpSecret(random: Random): string {
  // Copied, since a Buffer may be a part of a larger piece of memory.
  return new Secret({ buffer: Uint8Array.from(random.bytes(secretBytes)).buffer }).base32;
}

export function otpauthUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

function totpOf(secret: string, label = ""): TOTP {
  const rules = { algorithm: "SHA1", digits: 6, period: periodSeconds };
  return new TOTP({ ...rules, issuer: "Ironlease", label, secret: Secret.fromBase32(secret) });
}

/** The time step whose code this is, if it is one of those that count now. */
export function stepOfCode(secret: string, typed: string, now: number): number | undefined {
  const token = withoutGaps(typed);
  // The library throws on six characters that are more bytes than six.
  if (!sixDigits.test(token)) return undefined;
  const totp = totpOf(secret);
  const delta = totp.validate({ token, timestamp: now, window });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

/** What shows the second factor at sign-in: a code of the app, or one that was written down. */
export type Proof = { readonly step: number } | { readonly recoveryHash: string };

/** What was typed, if it may be a proof. Whether it was used before, only taking it tells. */
export function readProof(secret: string, typed: string, now: number): Proof | undefined {
  if (!sixDigits.test(withoutGaps(typed))) {
    return { recoveryHash: hashSecret(normalizeRecoveryCode(typed)) };
  }
  const step = stepOfCode(secret, typed, now);
  return step === undefined ? undefined : { step };
}

/**
 * Uses a proof up, and says whether it was still good: of many at once with the same one, one is. A
 * code is refused when it or a later one was taken before, whatever the clock says by then.
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

/** As apps show them: 123 456. */
function withoutGaps(typed: string): string {
  return typed.replaceAll(/[\s-]/g, "");
}
