import { Transaction } from "@scure/btc-signer/transaction.js";
import type { Asset } from "#ports/settlement.ts";
import type { AccountKey } from "./account-key.ts";
import type { WatchedChain } from "./check-chain.ts";
import type { PayoutNode } from "./payout-node.ts";

/** What payouts of one chain are built with. */
export interface PayoutChain extends WatchedChain {
  readonly asset: Asset;
  readonly dustUnits: bigint;
  readonly key: AccountKey;
  readonly payoutNode: PayoutNode;
  /** How long one search through blocks may take. */
  readonly searchMs: number;
}

/** Destinations may use script versions that are not assigned yet. */
export const transactionOptions = { version: 2, allowUnknownOutputs: true } as const;

export function readPsbt(bytes: Uint8Array): Transaction {
  return Transaction.fromPSBT(bytes, transactionOptions);
}
