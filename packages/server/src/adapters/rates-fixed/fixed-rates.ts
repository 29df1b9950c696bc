import { rateUnits } from "@ironlease/contract";
import type { Clock } from "#ports/clock.ts";
import {
  SettlementUnavailable,
  type Asset,
  type Rates,
  type SettlementMode,
} from "#ports/settlement.ts";

/** USD per coin from the settlement file, as decimal strings. */
export type FixedPrices = Readonly<Partial<Record<Asset, string>>>;

/** Every answer is of this moment, so any positive age would do. */
const maxAgeMs = 60_000;

/** Rates that never change, for test chains. Throws on real ones, where a fixed price would be a wrong price. */
export function createFixedRates(usd: FixedPrices, mode: SettlementMode, clock: Clock): Rates {
  if (mode === "LIVE") throw new Error("fixed rates are for test chains only");
  for (const [asset, rate] of Object.entries(usd)) {
    if (rateUnits(rate) === undefined) {
      throw new Error(`the fixed rate of ${asset} must be a decimal above zero such as 80.00`);
    }
  }
  return {
    maxAgeMs,
    answerMs: 1_000,
    usdPerCoin: async (asset) => {
      const rate = usd[asset];
      if (rate === undefined) {
        throw new SettlementUnavailable(`no fixed rate is configured for ${asset}`);
      }
      return { rate, at: clock.now(), sources: ["fixed"] };
    },
  };
}
