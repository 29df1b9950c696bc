import { HARDENED_OFFSET, type HDKey } from "@scure/bip32";
import { p2wpkh } from "@scure/btc-signer/payment.js";
import { NETWORK } from "@scure/btc-signer/utils.js";
import { readExtendedKey } from "../extended-key.ts";
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
  const { version, depth, childIndex, withVersions } = readExtendedKey(text);
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
  const account = withVersions(canonicalVersions[addressNetwork]);
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

function publicKeyOf({ publicKey }: HDKey): Uint8Array {
  if (publicKey === null) throw new Error("A derived key has no public key.");
  return publicKey;
}

function segwitAddress(publicKey: Uint8Array, prefix: string): string {
  // Native segwit addresses depend on the prefix alone. The other bytes are for older address types.
  const { address } = p2wpkh(publicKey, { ...NETWORK, bech32: prefix });
  return address;
}
