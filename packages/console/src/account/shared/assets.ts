import type { CreateDepositAddressRequest } from "@ironlease/client";

export type Asset = CreateDepositAddressRequest["asset"];

interface AssetTerms {
  readonly name: string;
  /** Between the smallest unit and the whole coin. */
  readonly decimals: number;
  /** The network of a token that is not the network's own coin. */
  readonly tokenOn?: string;
}

const assets: Readonly<Record<Asset, AssetTerms>> = {
  BTC: { name: "Bitcoin", decimals: 8 },
  LTC: { name: "Litecoin", decimals: 8 },
  XMR: { name: "Monero", decimals: 12 },
  ETH: { name: "Ether", decimals: 18 },
  USDC: { name: "USD Coin", decimals: 6, tokenOn: "Ethereum" },
  USDT: { name: "Tether", decimals: 6, tokenOn: "Ethereum" },
};

export const assetOrder: readonly Asset[] = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"];

/** "Bitcoin", "Tether on Ethereum". */
export function assetName(asset: Asset): string {
  const { name, tokenOn } = assets[asset];
  return tokenOn === undefined ? name : `${name} on ${tokenOn}`;
}

/** "Bitcoin (BTC)", "Tether (USDT) on Ethereum". */
export function assetLabel(asset: Asset): string {
  const { name, tokenOn } = assets[asset];
  return tokenOn === undefined ? `${name} (${asset})` : `${name} (${asset}) on ${tokenOn}`;
}

export function decimalsOf(asset: Asset): number {
  return assets[asset].decimals;
}
