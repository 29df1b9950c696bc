import type { Core } from "#kernel/core.ts";
import type { Asset, Chain, Rate, SettlementMode } from "#ports/settlement.ts";

/** What one pass over the chains did. */
export interface SettlementPass {
  /** New payments. */
  seen: number;
  credited: number;
  /** Payments that disappeared before they were credited. */
  gone: number;
  /** The node's height. Undefined when it was not asked or did not answer. */
  height?: number;
  /** Errors. None of them stops the pass, and the next pass retries. */
  readonly failures: unknown[];
}

/** More failures in one pass add nothing: something is down, and the next pass retries. */
export const maxFailures = 20;

/** One pass over one chain. */
export interface ChainRun {
  readonly core: Core;
  readonly mode: SettlementMode;
  readonly chain: Chain;
  readonly pass: SettlementPass;
  /** The price of an asset. Undefined without a fresh rate, which is reported once per pass. */
  readonly rateOf: (asset: Asset) => Promise<Rate | undefined>;
  readonly stop: AbortSignal | undefined;
}
