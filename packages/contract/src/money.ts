/** The largest sum the ledger ever holds in one amount: a trillion USD, far inside 2^53 cents. */
export const maxCents = 100_000_000_000_000;

/** Cents as the JSON number of the wire: 12550 is 125.5. */
export function usdFromCents(cents: number): number {
  return cents / 100;
}

const plainDecimal = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/;

/**
 * Reads `usd` from a request, a JSON number or a plain decimal string, as whole cents.
 * Undefined for anything that is not exactly a number of cents: a third decimal is refused, never
 * rounded, because rounding would move money that nobody named.
 */
export function centsFromUsd(usd: number | string): number | undefined {
  const text = typeof usd === "number" ? String(usd) : usd;
  if (!plainDecimal.test(text)) return undefined;
  const [whole = "", decimals = ""] = text.replace("-", "").split(".");
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (cents > maxCents) return undefined;
  return text.startsWith("-") && cents !== 0 ? -cents : cents;
}
