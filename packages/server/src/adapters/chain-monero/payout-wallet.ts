import type { PayoutOutput, WalletPin } from "#ports/payouts.ts";
import type { ViewKeys } from "./account-key.ts";
import type { WatchedChain } from "./check-chain.ts";
import type { MoneroNetwork } from "./networks.ts";
import type { MoneroRpc } from "./rpc.ts";
import { createWalletCalls } from "./wallet-calls.ts";

/** A chain and the wallet that pays on it. */
export interface PayoutChain extends WatchedChain {
  readonly moneroNetwork: MoneroNetwork;
  readonly keys: ViewKeys;
  readonly payoutWallet: PayoutWallet;
}

export interface UnsignedTransfer {
  /** Hexadecimal, and encrypted with the view key. */
  readonly unsigned: string;
  readonly feeUnits: bigint;
}

/** Key images with the proofs that they belong to outputs of the wallet, as the signer exported them. */
export interface SignedKeyImages {
  /** The place of the first in the wallet's list of outputs. */
  readonly offset: number;
  readonly images: readonly { readonly key_image: string; readonly signature: string }[];
}

export interface WalletSums {
  readonly units: bigint;
  /** Without what was received in the last ten blocks. */
  readonly unlockedUnits: bigint;
}

/** The calls of the view-only wallet that payouts need. The wallet must be open. */
export interface PayoutWallet {
  /** Builds a transaction and sends nothing. Throws `RpcRefusal`. */
  transfer(outputs: readonly PayoutOutput[], signal: AbortSignal): Promise<UnsignedTransfer>;
  /** The wallet checks each proof. Throws `RpcRefusal`. */
  importKeyImages(signed: SignedKeyImages, signal: AbortSignal): Promise<void>;
  /** The key images that the wallet knows. It recognizes when these are spent. */
  keyImages(signal: AbortSignal): Promise<ReadonlySet<string>>;
  sums(signal: AbortSignal): Promise<WalletSums>;
}

export const walletPin: WalletPin = "wallet";
const account = { account_index: 0 };

export function createPayoutWallet(name: string, rpc: MoneroRpc): PayoutWallet {
  const { callOpen } = createWalletCalls(name, rpc);
  return {
    transfer: async (outputs, signal) => {
      const destinations = outputs.map(({ destination, amountUnits }) => ({
        address: destination,
        // A number would round. The wallet reads texts as well.
        amount: String(amountUnits),
      }));
      const asked = { ...account, destinations, do_not_relay: true };
      const { read, fields } = await callOpen("transfer", asked, signal);
      return {
        unsigned: read.text(fields["unsigned_txset"], "unsigned_txset"),
        feeUnits: read.units(fields["fee"], "fee"),
      };
    },

    importKeyImages: async ({ offset, images }, signal) => {
      await callOpen("import_key_images", { offset, signed_key_images: images }, signal);
      // A wallet that crashes forgets what it has not stored.
      await callOpen("store", {}, signal);
    },

    keyImages: async (signal) => {
      const asked = { ...account, transfer_type: "all" };
      const { read, fields } = await callOpen("incoming_transfers", asked, signal);
      const transfers = read.list(fields["transfers"], "transfers");
      return new Set(
        transfers.map((row) => read.text(read.fields(row, "transfer")["key_image"], "key_image")),
      );
    },

    sums: async (signal) => {
      const { read, fields } = await callOpen("get_balance", account, signal);
      return {
        units: read.units(fields["balance"], "balance"),
        unlockedUnits: read.units(fields["unlocked_balance"], "unlocked_balance"),
      };
    },
  };
}
