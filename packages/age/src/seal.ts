import { sha256 } from "@noble/hashes/sha2.js";
import { base64urlnopad } from "@scure/base";
import { armor, Encrypter, Stanza } from "age-encryption";
import { oaepLabel } from "./oaep-label.ts";
import { wrapForEd25519 } from "./ssh-ed25519.ts";
import { fingerprintOf, readPublicKey, tagOf, type SshKey } from "./ssh-key.ts";

/** Encrypts a text to an SSH public key, as an armored age file. Runs in browsers. */
export async function sealText(text: string, publicKey: string): Promise<string> {
  const key = readPublicKey(publicKey);
  const encrypter = new Encrypter();
  encrypter.addRecipient({ wrapFileKey: async (fileKey) => [await wrap(fileKey, key)] });
  return armor.encode(await encrypter.encrypt(text));
}

async function wrap(fileKey: Uint8Array, { type, wire, fields }: SshKey): Promise<Stanza> {
  const tag = tagOf(fingerprintOf(sha256(wire)));
  const [first, second] = fields;
  if (type === "ssh-ed25519" && first !== undefined) {
    return wrapForEd25519(fileKey, { wire, point: first, tag });
  }
  if (type === "ssh-rsa" && first !== undefined && second !== undefined) {
    return wrapForRsa(fileKey, { exponent: first, modulus: second, tag });
  }
  throw new TypeError(`age cannot encrypt to a key of type ${type}`);
}

/** Browsers offer `crypto.subtle` on HTTPS and localhost only. */
async function wrapForRsa(
  fileKey: Uint8Array,
  key: { readonly exponent: Uint8Array; readonly modulus: Uint8Array; readonly tag: string },
): Promise<Stanza> {
  const { subtle } = globalThis.crypto;
  const jwk = { kty: "RSA", n: unsigned(key.modulus), e: unsigned(key.exponent) };
  const algorithm = { name: "RSA-OAEP", hash: "SHA-256" };
  const publicKey = await subtle.importKey("jwk", jwk, algorithm, false, ["encrypt"]);
  const padding = { name: "RSA-OAEP", label: oaepLabel };
  const body = await subtle.encrypt(padding, publicKey, Uint8Array.from(fileKey));
  return new Stanza(["ssh-rsa", key.tag], new Uint8Array(body));
}

/** SSH writes a zero before a number whose first bit is set. JWK does not. */
function unsigned(number: Uint8Array): string {
  return base64urlnopad.encode(number[0] === 0 ? number.subarray(1) : number);
}
