import { ed25519 } from "@noble/curves/ed25519.js";

/**
 * Whether 32 bytes are the canonical encoding of a point on edwards25519 (RFC 8032). Funds sent to a Monero
 * key that is not a point can never be spent, and node:crypto accepts any 32 bytes as a key.
 */
export function isEd25519Point(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}
