import { canonicalJson, type Json } from "./canonical-json.ts";
import type { Signature, StatementKeys } from "./statement.ts";

/** Web Crypto, which browsers and Node share. */
const { subtle } = globalThis.crypto;
const encoder = new TextEncoder();

export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  return new Uint8Array(await subtle.digest("SHA-256", bytes)).toHex();
}

/** Undefined if the signature is right, or else what is wrong. */
export async function signatureProblem(
  head: Json,
  { keyId, value }: Signature,
  { keys }: StatementKeys,
): Promise<string | undefined> {
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) return `The signing key ${keyId} is not among the published keys.`;
  const bytes = fromBase64url(value);
  if (bytes === undefined) return "The signature is not valid base64url.";
  const { kty, crv, x } = key;
  const imported = await subtle.importKey("jwk", { kty, crv, x }, { name: "Ed25519" }, false, [
    "verify",
  ]);
  const signed = encoder.encode(canonicalJson(head));
  const isGood = await subtle.verify({ name: "Ed25519" }, imported, bytes, signed);
  return isGood ? undefined : "The signature does not match the head.";
}

/** Only the one spelling of the bytes: the last character has bits that a lenient reader ignores. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const options = { alphabet: "base64url", omitPadding: true } as const;
  try {
    const bytes = Uint8Array.fromBase64(text, {
      alphabet: "base64url",
      lastChunkHandling: "loose",
    });
    return bytes.toBase64(options) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
