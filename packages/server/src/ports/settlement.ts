import type { Asset, SettlementMode } from "@ironlease/contract";
import type { Payouts } from "./payouts.ts";
import type { Result } from "./result.ts";

export type { Asset, SettlementMode };

/** The connected chains. All of them have the same mode. */
export interface Settlement {
  readonly mode: SettlementMode;
  readonly chains: readonly Chain[];
  /** Payments without money, on the simulated chains only. */
  readonly payments?: SimulatedPayments;
}

/**
 * One network, behind one node. The service counts derivation indexes and remembers what it saw, so a node can be
 * replaced at any time. Every call throws `SettlementUnavailable` when the node does not answer and `SettlementFailed`
 * when its answer cannot be used. The signal aborts when the caller stops waiting.
 */
export interface Chain {
  /** Names one chain for ever: `litecoin`, `litecoin-regtest`. */
  readonly network: string;
  /** Which addresses withdrawals may go to. */
  readonly addressNetwork: AddressNetwork;
  readonly assets: ReadonlyMap<Asset, AssetSettlement>;
  /** Public: deposit addresses are derived from it. */
  readonly publicKey: string;
  /** How long a call may take before the node counts as unavailable. */
  readonly answerMs: number;
  /** No address is issued while the last scan is older than this. Undefined where scans cannot lag. */
  readonly maxLagMs: number | undefined;
  /** No address is issued while the node has more unverified blocks than this. */
  readonly maxBehindBlocks: number;
  /** Outputs with this many confirmations are no longer checked for reorganizations. */
  readonly finalDepth: number;
  /** Also throws `SettlementFailed` when the node is on another chain than configured. */
  health(signal: AbortSignal): Promise<ChainHealth>;
  /** Needs neither the node nor a secret. The same index always gives the same address. */
  addressAt(index: number, asset: Asset): string;
  /** From now on the node reports payments to this index, if it needs to be told. */
  prepareAddress(index: number, signal: AbortSignal): Promise<void>;
  /**
   * Reads a page of blocks after the cursor (undefined: from the configured birth height), and the pool once it
   * reaches the tip. Safe to repeat. Goes back by itself when the cursor's block is no longer part of the chain.
   */
  scan(cursor: ChainCursor | undefined, own: OwnAddresses, signal: AbortSignal): Promise<Scan>;
  /**
   * Reports what became of outputs that are not final. Leaves out those that it cannot decide: a node that is behind
   * must not make a payment look lost. The cursor says how far the caller has scanned.
   */
  recheck(
    outputs: readonly KnownOutput[],
    cursor: ChainCursor,
    signal: AbortSignal,
  ): Promise<readonly OutputFate[]>;
  /**
   * What addresses hold in a block. Only on chains where coins stay on the address that received them, and where a
   * node may miss payments: what is held and was not reported needs an operator.
   */
  readonly holdings?: (
    addresses: readonly string[],
    height: number,
    signal: AbortSignal,
  ) => Promise<readonly Holding[]>;
  /** Undefined where no payout can be prepared or verified. */
  readonly payouts: Payouts | undefined;
}

export type AddressNetwork = "main" | "test" | "any";

export interface AssetSettlement {
  /** The number of decimals between the smallest unit and the whole coin. */
  readonly decimals: number;
  /** How many confirmations a payment needs by its value, in ascending order. The first starts at 0 USD. */
  readonly confirmations: readonly ConfirmationTier[];
}

export interface ConfirmationTier {
  readonly fromCents: number;
  readonly needed: number;
}

export interface ChainHealth {
  readonly height: number;
  /** How many blocks the node knows of but has not verified yet. */
  readonly behindBlocks: number;
  readonly version: string;
  readonly peers: number;
}

export interface ChainCursor {
  readonly height: number;
  readonly hash: string;
}

export interface OwnAddresses {
  /** Returns those that were issued on this network. */
  among(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface Scan {
  /** Covers these outputs and everything before them. */
  readonly cursor: ChainCursor;
  /** How many blocks before the caller's cursor turned out to be orphaned. */
  readonly undone: number;
  readonly outputs: readonly Sighting[];
  /** What the scan found out about outputs it reported before. */
  readonly fates: readonly OutputFate[];
  /** Another page is available. */
  readonly hasMore: boolean;
}

/** Identifies one payment. Must not change in a reorganization. */
export interface OutputKey {
  readonly transactionId: string;
  /** Bitcoin: vout. Monero: minor index. EVM: the log's position in its receipt, never its index in the block; for ether a number from the address. */
  readonly outputIndex: number;
}

/** A payment to an issued address. */
export interface Sighting extends OutputKey {
  readonly asset: Asset;
  /** As `addressAt` spells it. */
  readonly address: string;
  readonly amountUnits: bigint;
  /** Undefined while it is in the pool. */
  readonly block: ChainCursor | undefined;
  readonly confirmations: number;
  /** Set when the output needs more than its asset: a coinbase output. */
  readonly confirmationsNeeded?: number;
  /** The receiver cannot spend it yet. */
  readonly isLocked?: boolean;
}

export interface KnownOutput extends OutputKey {
  readonly address: string;
  readonly block: ChainCursor | undefined;
}

export interface OutputFate extends OutputKey {
  readonly block: ChainCursor | undefined;
  readonly confirmations: number;
  /** The network dropped it: replaced, double-spent or reorganized away. */
  readonly isGone: boolean;
  readonly isLocked?: boolean;
}

/** More than nothing of one asset on one address. */
export interface Holding {
  readonly address: string;
  readonly asset: Asset;
  readonly units: bigint;
  /** What moving it costs, in the smallest unit of the chain's own coin. */
  readonly moveUnits: bigint;
}

export interface SimulatedPayments {
  /** Creates a payment, or updates the one with this transaction and output. */
  simulatePayment(payment: SimulatedPayment): Promise<Result<{ readonly transactionId: string }>>;
}

export interface SimulatedPayment {
  readonly address: string;
  /** In whole coins, as a decimal string. */
  readonly amount: string;
  /** Defaults to as many as the asset needs. */
  readonly confirmations?: number | undefined;
  readonly transactionId?: string | undefined;
  /** Defaults to 0. */
  readonly outputIndex?: number | undefined;
  readonly isGone?: boolean | undefined;
}

/** A source of prices. The service, not the source, decides whether a rate is fresh enough to use. */
export interface Rates {
  /** A rate older than this is not used. */
  readonly maxAgeMs: number;
  /** How long a call may take before the source counts as unavailable. */
  readonly answerMs: number;
  /** Throws `SettlementUnavailable` when there is no rate. */
  usdPerCoin(asset: Asset, signal: AbortSignal): Promise<Rate>;
}

export interface Rate {
  /** USD per whole coin, as a decimal string. */
  readonly rate: string;
  readonly at: number;
  /** Set when an operator limited how long the rate is valid. */
  readonly validUntil?: number | undefined;
  /** Where it came from, for the customer and the audit. */
  readonly sources: readonly string[];
  /** An operator set it, so it holds even for a stablecoin that has lost its peg. */
  readonly isSetByOperator?: boolean;
}

/** The provider answered with an error or an invalid answer. */
export class SettlementFailed extends Error {
  override readonly name = "SettlementFailed";
}

/** No provider is connected for the asset, or it did not answer. */
export class SettlementUnavailable extends Error {
  override readonly name = "SettlementUnavailable";
}
