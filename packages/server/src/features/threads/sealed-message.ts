import { readRecipients, sealableTypes, tagOf, type RecipientStanza } from "@ironlease/age";
import type { Step, OperatorCall } from "#kernel/call.ts";
import { readUtcTime } from "#kernel/iso-time.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { SealedText } from "#kernel/sealed-texts.ts";
import type { Result } from "#ports/result.ts";
import { keysFor } from "./customer-keys.ts";

export interface SealedInput {
  readonly ciphertext: string;
  readonly fingerprint: string;
  readonly expiresAt?: string | undefined;
}

/** A sealed text with the recipients that its header names. */
export interface Envelope extends SealedText {
  readonly ciphertext: string;
  readonly recipients: readonly RecipientStanza[];
}

/** The text of the message for clients that do not know sealed ones. */
export function noticeOf({ fingerprint }: Envelope): string {
  return `Encrypted to your SSH key ${fingerprint}. Open it with age -d or ironlease message open.`;
}

/** The sizes of a stanza for an Ed25519 key: an X25519 key in base64, and an encrypted file key. */
const ed25519Stanza = { wordLength: 43, bodyBytes: 32 };

/** Reads what can be checked without the database. */
export function readEnvelope(input: SealedInput): Result<Envelope> {
  const { ciphertext, fingerprint } = input;
  const recipients = readRecipients(ciphertext);
  if (recipients === undefined) {
    return refuseField("sealed.ciphertext", "must be an armored age file, as age -a writes it");
  }
  const expiresAt = input.expiresAt === undefined ? null : readUtcTime(input.expiresAt);
  if (expiresAt === undefined) {
    const message = "must be a time in UTC such as 2026-11-16T09:30:00.000Z";
    return refuseField("sealed.expiresAt", message);
  }
  return ok({ ciphertext, fingerprint, expiresAt, recipients });
}

/** The fields that make two requests the same. */
export function contentOf({ ciphertext, fingerprint, expiresAt }: Envelope) {
  return { ciphertext, fingerprint, expiresAt };
}

/**
 * Checks that the text is encrypted to the customer's key and to no other. The service cannot open it, so this is
 * what the header claims. A customer who cannot open a message loses nothing and asks for another.
 */
export async function checkEnvelope(
  { tx, core }: Step<OperatorCall>,
  owner: { readonly accountId: string; readonly serverId: string | null },
  { fingerprint, expiresAt, recipients }: Envelope,
): Promise<Result<void>> {
  if (expiresAt !== null && expiresAt <= core.clock.now()) {
    return refuseField("sealed.expiresAt", "must be in the future");
  }
  const keys = await keysFor(tx, owner);
  const key = keys.find((candidate) => candidate.fingerprint === fingerprint);
  if (key === undefined) {
    return refuseField(
      "sealed.fingerprint",
      "must be the fingerprint of one of the customer's SSH keys",
    );
  }
  if (!key.sealable) {
    return refuseField(
      "sealed.fingerprint",
      `is of type ${key.type}, which age cannot encrypt to; use a key of type ${sealableTypes.join(" or ")}`,
    );
  }
  const [recipient, ...others] = recipients;
  if (recipient === undefined || others.length > 0) {
    return refuseField("sealed.ciphertext", "must have exactly one recipient");
  }
  const { type, words, body } = recipient;
  const fits =
    type === "ssh-rsa"
      ? words.length === 1
      : words.length === 2 &&
        words[1]?.length === ed25519Stanza.wordLength &&
        body.length === ed25519Stanza.bodyBytes;
  if (type === key.type && words[0] === tagOf(fingerprint) && fits) return ok();
  return refuseField("sealed.ciphertext", "must be encrypted to the key that fingerprint names");
}
