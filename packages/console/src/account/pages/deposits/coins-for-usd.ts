import { decimalText } from "#ui/coin-text.ts";

const dollars = /^(\d{1,9})(?:\.(\d{0,2}))?$/;
const plainRate = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/**
 * The coins that are worth an amount of USD, such as "100" or "99.5", as a decimal string. Computed in integers and
 * rounded up to the coin's smallest unit, so that the payment is not a cent short. Undefined while there is no amount.
 */
export function coinsForUsd(usd: string, rate: string, decimals: number): string | undefined {
  const [, wholeUsd = "", cents = ""] = dollars.exec(usd) ?? [];
  const [, wholeRate = "", fraction = ""] = plainRate.exec(rate) ?? [];
  const paidCents = BigInt(wholeUsd + cents.padEnd(2, "0"));
  const rateUnits = BigInt(wholeRate + fraction);
  if (paidCents === 0n || rateUnits === 0n) return undefined;
  const dividend = paidCents * 10n ** BigInt(decimals + fraction.length);
  const divisor = rateUnits * 100n;
  return decimalText((dividend + divisor - 1n) / divisor, decimals);
}
