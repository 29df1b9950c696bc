import { Secret, TOTP } from "otpauth";
import { hashSecret } from "#kernel/access/secrets.ts";
import { normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import type { Random } from "#ports/random.ts";

/** The parameters that every authenticator app supports: RFC 6238 with SHA-1, six digits, thirty seconds. */
const periodSeconds = 30;
const secretBytes = 20;

/** Accepts one step before and after, for clock drift and slow typing. */
const window = 1;

const sixDigits = /^\d{6}$/;

/** The context in which a secret is sealed, so that it does not open in another owner's row. */
export function totpContext(ownerId: string): string {
  return `totp ${ownerId}`;
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
  if (!isAppCode(typed)) return { recoveryHash: recoveryHashOf(typed) };
  const step = stepOfCode(secret, typed, now);
  return step === undefined ? undefined : { step };
}

/** Whether the text is a code of the app. Everything else is read as a recovery code, which needs no secret. */
export function isAppCode(typed: string): boolean {
  return sixDigits.test(withoutSeparators(typed));
}

/** Equal for every notation of a recovery code. */
export function recoveryHashOf(typed: string): string {
  return hashSecret(normalizeRecoveryCode(typed));
}

/** Apps show codes as 123 456. */
function withoutSeparators(typed: string): string {
  return typed.replaceAll(/[\s-]/g, "");
}
