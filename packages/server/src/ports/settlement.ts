import type { Asset, SettlementMode } from "@ironlease/contract";
import type { Result } from "./result.ts";

/** A payment provider. The interface demands little, so that a real node can implement it. */
export interface Settlement {
  readonly mode: SettlementMode;
  /** The connected assets. */
  readonly assets: ReadonlyMap<Asset, AssetSettlement>;
  /** How long a call may take before the provider counts as unavailable. */
  readonly answerMs: number;
  /**
   * Returns the address for a reference, always the same one: the service records its intent before the call and
   * may crash before the answer. Throws `SettlementFailed` or `SettlementUnavailable`. The signal aborts when the
   * caller stops waiting.
   */
  createAddress(asset: Asset, reference: string, signal: AbortSignal): Promise<string>;
  /**
   * Returns a page of what happened on a network since the cursor (undefined: since the beginning). Safe to repeat:
   * an output may be reported again, with more or fewer confirmations. It must be reported as long as its
   * confirmations matter, and once when it is gone.
   */
  watch(network: string, cursor: string | undefined, signal: AbortSignal): Promise<SettlementNews>;
  /** Payments without money, from the simulated provider only. */
  readonly payments?: SimulatedPayments;
}

export type { Asset, SettlementMode };

export interface AssetSettlement {
  readonly network: string;
  readonly confirmationsRequired: number;
  /** The number of decimals between the smallest unit and the whole coin. */
  readonly decimals: number;
}

export interface SettlementNews {
  /** Covers these outputs and everything before them. */
  readonly cursor: string;
  readonly outputs: readonly SettlementOutput[];
  /** Another page is available. */
  readonly hasMore: boolean;
}

/** One output of one transaction, possibly to an address that is not ours. */
export interface SettlementOutput {
  readonly asset: Asset;
  /** In the form that `createAddress` returned. */
  readonly address: string;
  readonly transactionId: string;
  /** Distinguishes payments of one transaction: an output, or a log entry of a token. */
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  readonly confirmations: number;
  /** The network dropped it: replaced, double-spent or reorganized away. */
  readonly isGone: boolean;
}

export interface SimulatedPayments {
  /** Creates a payment, or updates the one with this transaction and output. */
  simulatePayment(payment: SimulatedPayment): Promise<Result<{ readonly transactionId: string }>>;
}

export interface SimulatedPayment {
  readonly address: string;
  /** In whole coins, as a decimal string. */
  readonly amount: string;
  /** Defaults to the number that the asset requires. */
  readonly confirmations?: number | undefined;
  readonly transactionId?: string | undefined;
  /** Defaults to 0. */
  readonly outputIndex?: number | undefined;
  readonly isGone?: boolean | undefined;
}

/** USD per whole coin, as a decimal string, and the time of the rate. */
export interface Rates {
  usdPerCoin(asset: Asset): Promise<{ readonly rate: string; readonly at: number }>;
}

/** The provider answered with an error or an invalid answer. */
export class SettlementFailed extends Error {
  override readonly name = "SettlementFailed";
}

/** No provider is connected for the asset, or it did not answer. */
export class SettlementUnavailable extends Error {
  override readonly name = "SettlementUnavailable";
}
