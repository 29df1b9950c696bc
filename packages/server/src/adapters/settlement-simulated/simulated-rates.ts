import type { Clock } from "#ports/clock.ts";
import type { Asset, Rates } from "#ports/settlement.ts";

/** They never change, so that amounts in a preview are easy to check. */
const usdPerCoin: Readonly<Record<Asset, string>> = {
  BTC: "94250.00",
  LTC: "102.40",
  XMR: "312.75",
  ETH: "3180.50",
  USDC: "1.00",
  USDT: "1.00",
};

/** Fixed prices for a preview. */
export function createSimulatedRates(clock: Clock): Rates {
  return {
    maxAgeMs: 60_000,
    answerMs: 15_000,
    usdPerCoin: async (asset) => ({
      rate: usdPerCoin[asset],
      at: clock.now(),
      sources: ["simulated"],
    }),
  };
}
