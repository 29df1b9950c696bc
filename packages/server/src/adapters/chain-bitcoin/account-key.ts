import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { p2wpkh } from "@scure/btc-signer/payment.js";
import { NETWORK } from "@scure/btc-signer/utils.js";
import type { Coin } from "./coins.ts";

/** An account key of BIP84. It derives addresses and cannot spend. */
export interface AccountKey {
  /** The same text for every spelling of the key: xpub on the main network, tpub elsewhere. */
  readonly publicKey: string;
  /** The native segwit address at 0/index. */
  readonly depositAddress: (index: number) => string;
  /** Of the key itself. Signers recognise their inputs by it and the path below it. */
  readonly fingerprint: number;
  /** The compressed public key at branch/index: branch 0 is for deposits, 1 for change. */
  readonly childKey: (branch: 0 | 1, index: number) => Uint8Array;
}

interface ExtendedKey {
  readonly version: number;
  readonly isPrivate: boolean;
  readonly depth: number;
  readonly childIndex: number;
}

const base58check = createBase58check(sha256);
const serializedLength = 78;
const accountDepth = 3;

/** How the other version bytes are spelled: accounts of other address types, and of other coins. */
const canonicalVersions = {
  main: { public: 0x0488b21e, private: 0x0488ade4 },
  test: { public: 0x043587cf, private: 0x04358394 },
};

/** Throws an error that never quotes the key, because it may be a private one. */
export function readAccountKey(
  text: string,
  { keyVersions }: Pick<Coin, "keyVersions">,
  addressNetwork: "main" | "test",
  prefix: string,
): AccountKey {
  const bytes = decode(text);
  const { version, isPrivate, depth, childIndex } = readExtendedKey(bytes);
  if (isPrivate) {
    throw new Error("The account key is a private key. Configure the extended public key instead.");
  }
  if (!keyVersions[addressNetwork].includes(version)) {
    const other = addressNetwork === "main" ? "test" : "main";
    throw new Error(
      keyVersions[other].includes(version)
        ? `The account key belongs to the ${other} network. Configure a key of the ${addressNetwork} network.`
        : "The account key is not of a native segwit (BIP84) account of this coin.",
    );
  }
  if (depth !== accountDepth || childIndex < HARDENED_OFFSET) {
    throw new Error(
      "The account key is not at account level. Export the key at m/84'/coin'/account'.",
    );
  }
  const versions = canonicalVersions[addressNetwork];
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, versions.public);
  const account = parse(base58check.encode(bytes), versions);
  const branches = [account.deriveChild(0), account.deriveChild(1)] as const;
  const childKey = (branch: 0 | 1, index: number) =>
    publicKeyOf(branches[branch].deriveChild(index));
  return {
    publicKey: account.publicExtendedKey,
    depositAddress: (index) => segwitAddress(childKey(0, index), prefix),
    fingerprint: account.fingerprint,
    childKey,
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

/** BIP32: version, depth, parent fingerprint, child index, chain code, key. */
function readExtendedKey(bytes: Uint8Array): ExtendedKey {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    version: view.getUint32(0),
    depth: view.getUint8(4),
    childIndex: view.getUint32(9),
    // A public key begins with 2 or 3.
    isPrivate: view.getUint8(45) === 0,
  };
}

function parse(text: string, versions: (typeof canonicalVersions)["main"]): HDKey {
  try {
    return HDKey.fromExtendedKey(text, versions);
  } catch {
    throw invalidKey();
  }
}

function invalidKey(): Error {
  return new Error("The account key is not a valid extended public key. Check for typing errors.");
}

function publicKeyOf({ publicKey }: HDKey): Uint8Array {
  if (publicKey === null) throw new Error("A derived key has no public key.");
  return publicKey;
}

function segwitAddress(publicKey: Uint8Array, prefix: string): string {
  // Native segwit addresses depend on the prefix alone. The other bytes are for older address types.
  const { address } = p2wpkh(publicKey, { ...NETWORK, bech32: prefix });
  return address;
}
