import type { AssetSettlement, Asset, Chain, Settlement } from "#ports/settlement.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { withDeadline } from "./concurrency/deadline.ts";

/** The chain that an asset is paid on, and the asset's terms there. */
export interface ConnectedAsset {
  readonly chain: Chain;
  readonly terms: AssetSettlement;
}

export function connectedAsset(
  settlement: Settlement | undefined,
  asset: Asset,
): ConnectedAsset | undefined {
  for (const chain of settlement?.chains ?? []) {
    const terms = chain.assets.get(asset);
    if (terms !== undefined) return { chain, terms };
  }
  return undefined;
}

/** How many confirmations a payment of this value needs. Without a value, those of the smallest payment. */
export function confirmationsNeeded({ confirmations }: AssetSettlement, cents = 0): number {
  const reached = confirmations.filter(({ fromCents }) => fromCents <= cents);
  return Math.max(...reached.map(({ needed }) => needed));
}

/** Calls a node with its deadline, so that a hanging node blocks neither a request nor the watch. */
export function callChain<T>(
  { network, answerMs }: Pick<Chain, "network" | "answerMs">,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const onTimeout = () =>
    new SettlementUnavailable(`${network} did not answer within ${answerMs} ms`);
  return withDeadline(answerMs, onTimeout, call);
}
