import type { CreateDepositAddressRequest } from "@ironlease/client";

export type Asset = CreateDepositAddressRequest["asset"];

export const assets: Readonly<Record<Asset, { readonly name: string; readonly on: string }>> = {
  BTC: { name: "Bitcoin", on: "Bitcoin" },
  LTC: { name: "Litecoin", on: "Litecoin" },
  XMR: { name: "Monero", on: "Monero" },
  ETH: { name: "Ether", on: "Ethereum" },
  USDC: { name: "USD Coin", on: "Ethereum" },
  USDT: { name: "Tether", on: "Ethereum" },
};

export const assetOrder: readonly Asset[] = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"];
