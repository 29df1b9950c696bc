import type { ReadServerAnswer } from "@ironlease/client";
import { minuteOf, usdOf } from "./formats.ts";

type Ddos = ReadServerAnswer["ddos"];

/** The operator's offer for ADVANCED. Undefined without one. */
export function quoteText(
  { quote, quoteRequired }: Pick<Ddos, "quote" | "quoteRequired">,
  term: ReadServerAnswer["term"],
): string | undefined {
  if (quote === null) return undefined;
  const state = quoteRequired ? `valid until ${minuteOf(quote.expiresAt)}` : "accepted";
  return `${usdOf(quote.usd)} ${term}, ${state}`;
}
