import type { Asset } from "@ironlease/contract";
import type { Result } from "./result.ts";

/**
 * Payouts of one chain. The adapter builds, checks and sends transactions but holds no key: an operator signs them
 * elsewhere. Every call throws `SettlementUnavailable` when the node does not answer and `SettlementFailed` when its
 * answer cannot be used. Nothing is sent but by `broadcast`.
 */
export interface Payouts {
  readonly format: PayoutFormat;
  /** How many withdrawals one transaction can pay. */
  readonly maxOutputs: number;
  /**
   * Builds a complete, unsigned transaction. Refuses with `conflict` when the wallet has too few coins: the message
   * says how much is missing and where. The same order over the same wallet gives the same pins.
   */
  prepare(
    order: PayoutOrder,
    wallet: PayoutWallet,
    signal: AbortSignal,
  ): Promise<Result<PreparedPayout>>;
  /**
   * Reads what came back from the signer. Refuses the field `signed` with the reason when it differs from the prepared
   * transaction in more than its signatures, or is not completely signed. Where the unsigned transaction cannot be read,
   * every output must pay the order or return to the wallet.
   */
  accept(
    prepared: PreparedPayout,
    signed: string,
    order: PayoutOrder,
    signal: AbortSignal,
  ): Promise<Result<SignedPayout>>;
  /** Why the node would not take these bytes, without sending them. Undefined when it would, or cannot tell. */
  rehearse(raw: string, signal: AbortSignal): Promise<string | undefined>;
  /** Sends the same bytes, any number of times. */
  broadcast(raw: string, signal: AbortSignal): Promise<BroadcastOutcome>;
  /** What became of a transaction that was sent. */
  fate(sent: SentPayout, signal: AbortSignal): Promise<PayoutFate>;
  /** Whether a transaction, made by the service or not, pays this much to this destination. */
  verify(
    transactionId: string,
    payment: PayoutPayment,
    signal: AbortSignal,
  ): Promise<PayoutEvidence>;
  /** What the wallet holds, as the node sees it. */
  balances(wallet: Pick<PayoutWallet, "coins">, signal: AbortSignal): Promise<WalletBalances>;
}

/** `psbt`: base64. `evm`: 0x-hex. `monero`: hex of a transfer set. */
export type PayoutFormat = "psbt" | "evm" | "monero";

/**
 * Pins the whole wallet, on chains where only the signer can tell what a transaction spends. The service frees it when
 * the payout ends.
 */
export type WalletPin = "wallet";

export interface PayoutOutput {
  readonly destination: string;
  readonly amountUnits: bigint;
}

export interface PayoutPayment extends PayoutOutput {
  readonly asset: Asset;
}

/** What one transaction must pay. */
export interface PayoutOrder {
  readonly asset: Asset;
  /** At least one, at most `maxOutputs`, in the order of the withdrawals. */
  readonly outputs: readonly PayoutOutput[];
  /** A transaction that was sent but not mined. The new one has the same pins and a higher fee. */
  readonly replaces?: PreparedPayout;
}

/** What the service knows of the wallet that pays. */
export interface PayoutWallet {
  /** Pins of payouts that have not ended. */
  readonly taken: ReadonlySet<string>;
  /** The payouts that have not ended, because an account's balance does not show what they will take. */
  readonly others: readonly OpenPayout[];
  /** Received outputs that are not known to be spent. Empty on chains without outputs of their own. */
  readonly coins: readonly OwnCoin[];
  /** The index of a fresh change address, at 1/index. */
  readonly changeIndex: number;
}

/** A payout that was prepared and has not ended. */
export interface OpenPayout {
  readonly pins: readonly string[];
  /** What it pays and what it may cost. */
  readonly units: ReadonlyMap<Asset, bigint>;
}

/** An output that an address of the account key received. */
export interface OwnCoin {
  readonly transactionId: string;
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  /** 0: deposits. 1: change. */
  readonly branch: 0 | 1;
  readonly index: number;
}

export interface PreparedPayout {
  readonly unsigned: string;
  /**
   * What makes two payouts exclude each other: outpoints `txid:vout`, `1/0:nonce`, key images. The service stores them
   * before it hands out the transaction and gives none of them to another payout.
   */
  readonly pins: readonly string[];
  /** The most that the transaction costs, in the smallest unit of `feeAsset`. */
  readonly feeUnits: bigint;
  /** The coin that the network takes its fee in. */
  readonly feeAsset: Asset;
  /** Set where the id does not depend on the signatures. */
  readonly transactionId?: string;
  /** The address that pays, where a transaction has only one. */
  readonly from?: string;
  readonly change?: PayoutChange;
}

/** The output that returns to the wallet, at 1/index. */
export interface PayoutChange {
  readonly index: number;
  readonly outputIndex: number;
  readonly amountUnits: bigint;
}

export interface SignedPayout {
  readonly transactionId: string;
  /** Everything that `broadcast` needs. */
  readonly raw: string;
  /** More pins, where only the signed transaction shows what it spends. */
  readonly pins?: readonly string[];
}

/** KNOWN: the node had it already. */
export type BroadcastOutcome = "SENT" | "KNOWN" | { readonly rejected: string };

export interface SentPayout extends SignedPayout {
  readonly pins: readonly string[];
  /** The block that it was last seen in. */
  readonly block: { readonly height: number; readonly hash: string } | undefined;
  /** No block up to this height contains it. Undefined before the first call. */
  readonly searchedHeight: number | undefined;
}

export type PayoutFate =
  /** In the pool, or not found in blocks up to this height. */
  | { readonly kind: "PENDING"; readonly isKnown: boolean; readonly searchedHeight: number }
  | {
      readonly kind: "MINED";
      readonly confirmations: number;
      readonly block: { readonly height: number; readonly hash: string };
      /** What it cost, where only the block tells. */
      readonly feeUnits?: bigint;
    }
  /** It can no longer pay: another transaction used its pins, or it was mined and reverted. */
  | {
      readonly kind: "FAILED";
      readonly evidence: string;
      readonly confirmations: number;
      readonly feeUnits?: bigint;
    };

export type PayoutEvidence =
  | {
      readonly kind: "PAID";
      /** As the chain spells it. */
      readonly transactionId: string;
      readonly confirmations: number;
      readonly feeUnits?: bigint;
    }
  /** The reason says what the transaction does instead. */
  | { readonly kind: "NOT_PAID"; readonly reason: string }
  /** The node does not know the transaction. */
  | { readonly kind: "UNKNOWN" };

export interface WalletBalances {
  readonly units: ReadonlyMap<Asset, bigint>;
  /** Those of the given coins that are spent. */
  readonly spent: readonly OwnCoin[];
}
