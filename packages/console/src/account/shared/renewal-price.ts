import type { Server } from "@ironlease/client";
import { centsOf, sumUsd } from "#ui/money-text.ts";

const dayMs = 86_400_000;
const termMs: Readonly<Record<Server["term"], number>> = { weekly: 7 * dayMs, monthly: 30 * dayMs };

export const termText: Readonly<Record<Server["term"], string>> = {
  weekly: "7 days",
  monthly: "30 days",
};

/** What a renewal charges: the machine and DDoS protection together. */
export function renewalUsd({ priceUsd, ddosUsd }: Pick<Server, "priceUsd" | "ddosUsd">): number {
  return sumUsd([priceUsd, ddosUsd]);
}

/** What a price per term costs until the end of the paid term, rounded half up as the service does. */
export function restOfTermUsd(
  usd: number,
  { term, paidThrough }: Pick<Server, "term" | "paidThrough">,
  now: number,
): number {
  if (paidThrough === null) return usd;
  const leftMs = Math.max(0, Date.parse(paidThrough) - now);
  return Math.floor((centsOf(usd) * leftMs) / termMs[term] + 0.5) / 100;
}
