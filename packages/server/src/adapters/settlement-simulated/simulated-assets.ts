import type { Asset, AssetSettlement, ConfirmationTier } from "#ports/settlement.ts";

interface SimulatedAsset extends AssetSettlement {
  readonly network: string;
  readonly confirmations: readonly [ConfirmationTier];
}

const after = (needed: number) => ({ confirmations: [{ fromCents: 0, needed }] as const });

/** Decimals and confirmations as on the real chains. */
export const simulatedAssets: ReadonlyMap<Asset, SimulatedAsset> = new Map<Asset, SimulatedAsset>([
  ["BTC", { network: "bitcoin", decimals: 8, ...after(2) }],
  ["LTC", { network: "litecoin", decimals: 8, ...after(6) }],
  ["XMR", { network: "monero", decimals: 12, ...after(10) }],
  ["ETH", { network: "ethereum", decimals: 18, ...after(12) }],
  ["USDC", { network: "ethereum", decimals: 6, ...after(12) }],
  ["USDT", { network: "ethereum", decimals: 6, ...after(12) }],
]);

export function simulatedAsset(asset: Asset): SimulatedAsset {
  const settlement = simulatedAssets.get(asset);
  if (settlement === undefined) throw new Error(`${asset} is not simulated`);
  return settlement;
}

export const simulatedNetworks: ReadonlySet<string> = new Set(
  [...simulatedAssets.values()].map(({ network }) => network),
);
