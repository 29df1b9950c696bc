import type { Clock } from "#ports/clock.ts";
import type { Asset, Rates } from "#ports/settlement.ts";

/** They never move, so that whoever tries the preview can check the sums. */
const usdPerCoin: Readonly<Record<Asset, string>> = {
  BTC: "94250.00",
  LTC: "102.40",
  XMR: "312.75",
  ETH: "3180.50",
  USDC: "1",
  USDT: "1",
};

/** Made-up prices of the day for a preview. */
export function createSimulatedRates(clock: Clock): Rates {
  return {
    usdPerCoin: async (asset) => ({ rate: usdPerCoin[asset], at: clock.now() }),
  };
}
