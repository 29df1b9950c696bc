import type { Deposit } from "@ironlease/client";

const format = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });

/** The exchange rate, derived from the credited amount: "1 BTC ≈ $61,250". */
export function rateText({
  asset,
  amount,
  usd,
}: Pick<Deposit, "asset" | "amount" | "usd">): string {
  const coins = Number(amount);
  if (usd === null || !(coins > 0)) return "";
  return `1 ${asset} ≈ $${format.format(usd / coins)}`;
}
