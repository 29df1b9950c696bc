/** The largest amount in the ledger: a trillion USD, well below 2^53 cents. */
export const maxCents = 100_000_000_000_000;

/** Converts cents to the JSON number on the wire: 12550 becomes 125.5. */
export function usdFromCents(cents: number): number {
  return cents / 100;
}

const plainDecimal = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/;

/**
 * Converts `usd` from a request, a JSON number or a plain decimal string, to cents.
 * Returns undefined for anything else. A third decimal is rejected, because rounding would move an
 * amount that the customer did not ask for.
 */
export function centsFromUsd(usd: number | string): number | undefined {
  const text = typeof usd === "number" ? String(usd) : usd;
  if (!plainDecimal.test(text)) return undefined;
  const [whole = "", decimals = ""] = text.replace("-", "").split(".");
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  if (cents > maxCents) return undefined;
  return text.startsWith("-") && cents !== 0 ? -cents : cents;
}
