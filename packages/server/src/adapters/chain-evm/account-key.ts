import { HARDENED_OFFSET, type HDKey } from "@scure/bip32";
import { addr } from "micro-eth-signer";
import { readExtendedKey } from "../extended-key.ts";

/** An account key at m/44'/60'/account'. It derives addresses and cannot spend. */
export interface EvmAccountKey {
  readonly publicKey: string;
  /** The address at 0/index, spelled as EIP-55 says. */
  readonly depositAddress: (index: number) => string;
  /** The address at 1/0, which the operator funds. Payouts come from it. */
  readonly payoutAddress: string;
}

const accountDepth = 3;
/** Wallets write keys of Ethereum with these version bytes on every network. */
const versions = { public: 0x0488b21e, private: 0x0488ade4 };

/** Throws an error that never quotes the key, because it may be a private one. */
export function readEvmAccountKey(text: string): EvmAccountKey {
  const { version, depth, childIndex, withVersions } = readExtendedKey(text);
  if (version !== versions.public) {
    throw new Error("The account key is not an xpub, as wallets write it for Ethereum.");
  }
  if (depth !== accountDepth || childIndex < HARDENED_OFFSET) {
    throw new Error(
      "The account key is not at account level. Export the key at m/44'/60'/account'.",
    );
  }
  const account = withVersions(versions);
  const deposits = account.deriveChild(0);
  return {
    publicKey: account.publicExtendedKey,
    depositAddress: (index) => addressOf(deposits.deriveChild(index)),
    payoutAddress: addressOf(account.deriveChild(1).deriveChild(0)),
  };
}

function addressOf({ publicKey }: HDKey): string {
  if (publicKey === null) throw new Error("A derived key has no public key.");
  return addr.fromPublicKey(publicKey);
}
