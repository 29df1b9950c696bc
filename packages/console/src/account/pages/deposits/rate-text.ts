import type { Deposit } from "@ironlease/client";
import { priceText } from "#ui/money-text.ts";

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

/** The rate of a credited deposit with its time and sources: "1 LTC = $80.00, 12:03, operator". */
export function rateText({ asset, rate }: Pick<Deposit, "asset" | "rate">): string {
  if (rate === null) return "";
  const price = `1 ${asset} = ${priceText(rate.usd)}`;
  return [price, time.format(new Date(rate.at)), ...rate.sources].join(", ");
}

const exact = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 18,
});

/** A rate with all its decimals: "$94,250.00", "$0.9998". */
export function usdText(rate: string): string {
  // `format` reads a decimal string exactly. A number would lose digits.
  return exact.format(rate as Intl.StringNumericLiteral);
}

/** "just now", "12 s ago", "5 min ago", "3 h ago". */
export function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}
