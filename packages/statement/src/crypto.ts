import { canonicalJson, type Json } from "./canonical-json.ts";
import type { Signature, StatementKeys } from "./statement.ts";

/** Web Crypto, which browsers and Node share. Undefined on pages without HTTPS. */
const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
const encoder = new TextEncoder();
const ed25519 = { name: "Ed25519" } as const;

/** Written by hand: browsers have Ed25519 longer than `Uint8Array.toHex`. */
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  let hex = "";
  for (const byte of new Uint8Array(await webCrypto().digest("SHA-256", bytes))) {
    hex += hexOfByte[byte];
  }
  return hex;
}

/** Whether this browser has Web Crypto with Ed25519. */
export async function canVerify(): Promise<boolean> {
  try {
    await importKey("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
    return true;
  } catch {
    return false;
  }
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
  const signed = encoder.encode(canonicalJson(head));
  const isGood = await webCrypto().verify(ed25519, await importKey(key.x), bytes, signed);
  return isGood ? undefined : "The signature does not match the head.";
}

function importKey(x: string): Promise<CryptoKey> {
  return webCrypto().importKey("jwk", { kty: "OKP", crv: "Ed25519", x }, ed25519, false, [
    "verify",
  ]);
}

function webCrypto(): SubtleCrypto {
  if (subtle === undefined) throw new Error("Web Crypto needs HTTPS");
  return subtle;
}

/** Only the one spelling of the bytes: the last character has bits that a lenient reader ignores. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const spelled = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (spelled !== text) return undefined;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
