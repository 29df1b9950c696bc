import type { Asset, SettlementMode } from "@ironlease/contract";
import type { Result } from "./result.ts";

/** A chain's payments as the service needs them: made for real nodes, so it promises little. */
export interface Settlement {
  readonly mode: SettlementMode;
  /** What is connected, one entry for each asset that can be paid. */
  readonly assets: ReadonlyMap<Asset, AssetSettlement>;
  /** How long one call may take before the provider counts as not answering. */
  readonly answerMs: number;
  /**
   * Hands out an address for a reference, the same one however often it is asked: the service
   * records its intent before it calls, and may crash between the call and the answer.
   * Throws `SettlementFailed` or `SettlementUnavailable`. The signal says that nobody waits any more.
   */
  createAddress(asset: Asset, reference: string, signal: AbortSignal): Promise<string>;
  /**
   * What has happened on a network since the cursor (undefined: from the beginning), a page of it.
   * Safe to repeat: an output may be told again with other confirmations, more or fewer than before.
   * It must be told again as long as its confirmations matter, and once when it is gone.
   */
  watch(network: string, cursor: string | undefined, signal: AbortSignal): Promise<SettlementNews>;
  /** How to pay without money. Only the simulated provider has it. */
  readonly payments?: SimulatedPayments;
}

export type { Asset, SettlementMode };

export interface AssetSettlement {
  readonly network: string;
  readonly confirmationsRequired: number;
  /** How many decimals the smallest unit is away from the whole coin. */
  readonly decimals: number;
}

export interface SettlementNews {
  /** Covers the outputs told here and everything before them. */
  readonly cursor: string;
  readonly outputs: readonly SettlementOutput[];
  /** There is another page behind this cursor already. */
  readonly hasMore: boolean;
}

/** One output of one transaction. It may be to an address that is none of ours. */
export interface SettlementOutput {
  readonly asset: Asset;
  /** Spelled as `createAddress` spelled it. */
  readonly address: string;
  readonly transactionId: string;
  /** Tells several payments of one transaction apart: an output, or a log entry of a token. */
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  readonly confirmations: number;
  /** The network has forgotten it: replaced, double-spent or reorganized away. */
  readonly isGone: boolean;
}

export interface SimulatedPayments {
  /** A new payment, or the same transaction and output again with what has become of it. */
  simulatePayment(payment: SimulatedPayment): Promise<Result<{ readonly transactionId: string }>>;
}

export interface SimulatedPayment {
  readonly address: string;
  /** Of the whole coin, as a decimal string. */
  readonly amount: string;
  /** As many as the asset needs, when left out. */
  readonly confirmations?: number | undefined;
  readonly transactionId?: string | undefined;
  /** The first one, 0, when left out. */
  readonly outputIndex?: number | undefined;
  readonly isGone?: boolean | undefined;
}

/** USD for a whole coin, as a decimal string, and when it was true. */
export interface Rates {
  usdPerCoin(asset: Asset): Promise<{ readonly rate: string; readonly at: number }>;
}

/** The provider answered, but badly. */
export class SettlementFailed extends Error {
  override readonly name = "SettlementFailed";
}

/** None is connected for the asset, or it did not answer. */
export class SettlementUnavailable extends Error {
  override readonly name = "SettlementUnavailable";
}
