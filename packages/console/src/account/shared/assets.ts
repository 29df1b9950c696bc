import type { CreateDepositAddressRequest } from "@ironlease/client";

export type Asset = CreateDepositAddressRequest["asset"];

interface AssetTerms {
  readonly name: string;
  /** The network of a token that is not the network's own coin. */
  readonly tokenOn?: string;
}

const assets: Readonly<Record<Asset, AssetTerms>> = {
  BTC: { name: "Bitcoin" },
  LTC: { name: "Litecoin" },
  XMR: { name: "Monero" },
  ETH: { name: "Ether" },
  USDC: { name: "USD Coin", tokenOn: "Ethereum" },
  USDT: { name: "Tether", tokenOn: "Ethereum" },
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
