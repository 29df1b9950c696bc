import type { Deposit } from "@ironlease/client";
import { priceText } from "#ui/money-text.ts";

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

/** The rate of a credited deposit with its time and sources: "1 LTC = $80.00, 12:03, operator". */
export function rateText({ asset, rate }: Pick<Deposit, "asset" | "rate">): string {
  if (rate === null) return "";
  const price = `1 ${asset} = ${priceText(rate.usd)}`;
  return [price, time.format(new Date(rate.at)), ...rate.sources].join(", ");
}
