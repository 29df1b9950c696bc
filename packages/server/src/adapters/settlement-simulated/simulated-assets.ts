import type { Asset, AssetSettlement } from "#ports/settlement.ts";

/** The precision of the real coins and customary numbers of confirmations, so that a preview behaves realistically. */
export const simulatedAssets: ReadonlyMap<Asset, AssetSettlement> = new Map<Asset, AssetSettlement>(
  [
    ["BTC", { network: "bitcoin", decimals: 8, confirmationsRequired: 2 }],
    ["LTC", { network: "litecoin", decimals: 8, confirmationsRequired: 6 }],
    ["XMR", { network: "monero", decimals: 12, confirmationsRequired: 10 }],
    ["ETH", { network: "ethereum", decimals: 18, confirmationsRequired: 12 }],
    ["USDC", { network: "ethereum", decimals: 6, confirmationsRequired: 12 }],
    ["USDT", { network: "ethereum", decimals: 6, confirmationsRequired: 12 }],
  ],
);

export function simulatedAsset(asset: Asset): AssetSettlement {
  const settlement = simulatedAssets.get(asset);
  if (settlement === undefined) throw new Error(`${asset} is not simulated`);
  return settlement;
}
