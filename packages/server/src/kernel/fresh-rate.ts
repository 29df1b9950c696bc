import { rateFromUnits, rateUnits } from "@ironlease/contract";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Rate,
} from "#ports/settlement.ts";
import { withDeadline } from "./concurrency/deadline.ts";
import type { Core } from "./core.ts";

/** How far a source's clock may be ahead of ours. */
const maxAheadMs = 60_000;
const stablecoins: readonly Asset[] = ["USDC", "USDT"];
/** Below this price a stablecoin has lost its peg, and an operator decides what a payment is worth. */
const minPeg = 0.98;

/**
 * The price of an asset now, written as `rateFromUnits` does. The rules hold for every source: a rate that is too old,
 * from the future, expired or not a positive decimal is not used. Throws `SettlementUnavailable` or `SettlementFailed`
 * with the reason.
 */
export async function freshRate(
  { rates, clock }: Pick<Core, "rates" | "clock">,
  asset: Asset,
): Promise<Rate> {
  if (rates === undefined) throw new SettlementUnavailable("no source of rates is connected");
  const { answerMs } = rates;
  const onTimeout = () =>
    new SettlementUnavailable(`the rate of ${asset} did not arrive within ${answerMs} ms`);
  const rate = await withDeadline(answerMs, onTimeout, (signal) => rates.usdPerCoin(asset, signal));
  const units = rateUnits(rate.rate);
  if (units === undefined) {
    throw new SettlementFailed(`the rate of ${asset} is not a decimal above zero`);
  }
  const now = clock.now();
  if (rate.at > now + maxAheadMs) {
    throw new SettlementFailed(`the rate of ${asset} is from the future`);
  }
  if (now - rate.at > rates.maxAgeMs || now > (rate.validUntil ?? now)) {
    throw new SettlementUnavailable(`the rate of ${asset} has expired`);
  }
  const written = { ...rate, rate: rateFromUnits(units) };
  return stablecoins.includes(asset) ? stablecoinRate(asset, written) : written;
}

/** A stablecoin is never worth more than 1 USD. */
function stablecoinRate(asset: Asset, rate: Rate): Rate {
  if (Number(rate.rate) < minPeg && rate.isSetByOperator !== true) {
    throw new SettlementUnavailable(
      `${asset} is below ${minPeg} USD. Payments wait until it recovers or operators set the rates.`,
    );
  }
  return Number(rate.rate) > 1 ? { ...rate, rate: "1.00" } : rate;
}
