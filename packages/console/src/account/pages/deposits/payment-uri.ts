import type { DepositAddress } from "@ironlease/client";

type Address = Pick<DepositAddress, "address" | "asset" | "network" | "mode">;

/**
 * What a wallet opens or scans, with the amount where the scheme has a plain field for it: BIP 21 for BTC and LTC.
 * Undefined where no scheme fits: a simulated address exists on no network, and `ethereum:` would ask for ETH where
 * the customer chose a token.
 */
export function paymentUri(
  { address, asset, network, mode }: Address,
  amount: string | undefined,
): string | undefined {
  if (mode === "SIMULATED") return undefined;
  const query = amount === undefined ? "" : `?amount=${amount}`;
  switch (asset) {
    case "BTC":
      return `bitcoin:${address}${query}`;
    case "LTC":
      return `litecoin:${address}${query}`;
    case "XMR":
      return `monero:${address}`;
    case "ETH":
      return `ethereum:${address}${chainOf(network)}`;
    default:
      return undefined;
  }
}

/** Wallets read an address without a chain as one on the main network. */
function chainOf(network: string): string {
  const [, id] = /^ethereum-(\d+)$/.exec(network) ?? [];
  return id === undefined ? "" : `@${id}`;
}
