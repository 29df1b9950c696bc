import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { HDKey } from "@scure/bip32";

/** An extended public key of BIP32. */
export interface ExtendedKey {
  readonly version: number;
  readonly depth: number;
  readonly childIndex: number;
  /** The key, spelled with these version bytes. */
  readonly withVersions: (versions: KeyVersions) => HDKey;
}

export interface KeyVersions {
  readonly public: number;
  readonly private: number;
}

const base58check = createBase58check(sha256);
const serializedLength = 78;

/** Refuses private keys. Throws an error that never quotes the key. */
export function readExtendedKey(text: string): ExtendedKey {
  const bytes = decode(text);
  // BIP32: version, depth, parent fingerprint, child index, chain code, key.
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  // A public key begins with 2 or 3.
  if (view.getUint8(45) === 0) {
    throw new Error("The account key is a private key. Configure the extended public key instead.");
  }
  return {
    version: view.getUint32(0),
    depth: view.getUint8(4),
    childIndex: view.getUint32(9),
    withVersions: (versions) => {
      const spelled = bytes.slice();
      new DataView(spelled.buffer).setUint32(0, versions.public);
      return parse(base58check.encode(spelled), versions);
    },
  };
}

function decode(text: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    throw invalidKey();
  }
  if (bytes.length !== serializedLength) throw invalidKey();
  return bytes;
}

function parse(text: string, versions: KeyVersions): HDKey {
  try {
    return HDKey.fromExtendedKey(text, versions);
  } catch {
    throw invalidKey();
  }
}

function invalidKey(): Error {
  return new Error("The account key is not a valid extended public key. Check for typing errors.");
}
