import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { base64nopad } from "@scure/base";
import { Stanza } from "age-encryption";

const label = new TextEncoder().encode("age-encryption.org/v1/ssh-ed25519");
/** Each wrapping key is used once. */
const nonce = new Uint8Array(12);

/** Wraps a file key for the holder of an Ed25519 key, whose point is also an X25519 key. */
export function wrapForEd25519(
  fileKey: Uint8Array,
  key: { readonly wire: Uint8Array; readonly point: Uint8Array; readonly tag: string },
): Stanza {
  const theirs = ed25519.utils.toMontgomery(key.point);
  const { secretKey, publicKey } = x25519.keygen();
  const shared = x25519.getSharedSecret(secretKey, theirs);
  const wrappingKey = deriveKey(shared, key.wire, concatBytes(publicKey, theirs));
  const body = chacha20poly1305(wrappingKey, nonce).encrypt(fileKey);
  return new Stanza(["ssh-ed25519", key.tag, base64nopad.encode(publicKey)], body);
}

/** Throws if the stanza was not made for this key. */
export function unwrapWithEd25519(
  { args: [, , ephemeral = ""], body }: Stanza,
  key: { readonly wire: Uint8Array; readonly seed: Uint8Array },
): Uint8Array {
  const theirs = base64nopad.decode(ephemeral);
  const secretKey = ed25519.utils.toMontgomerySecret(key.seed);
  const ours = x25519.getPublicKey(secretKey);
  const shared = x25519.getSharedSecret(secretKey, theirs);
  const wrappingKey = deriveKey(shared, key.wire, concatBytes(theirs, ours));
  return chacha20poly1305(wrappingKey, nonce).decrypt(body);
}

/** The tweak ties the secret to the SSH key, so that the same point in another role gives another one. */
function deriveKey(shared: Uint8Array, wire: Uint8Array, salt: Uint8Array): Uint8Array {
  const tweak = hkdf(sha256, new Uint8Array(0), wire, label, 32);
  return hkdf(sha256, x25519.getSharedSecret(tweak, shared), salt, label, 32);
}
