import type { Result } from "#ports/result.ts";
import type { AssetSettlement, Asset, Chain, Settlement } from "#ports/settlement.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { withDeadline } from "./concurrency/deadline.ts";
import { refuse } from "./result.ts";

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

/** Refuses when the node or the rates cannot be asked. */
export async function refusingOutages<T>(
  call: () => Promise<Result<T>>,
  about: { readonly message?: string } = {},
): Promise<Result<T>> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SettlementFailed) return refuse("settlement_failed", about);
    if (error instanceof SettlementUnavailable) return refuse("settlement_unavailable", about);
    throw error;
  }
}
