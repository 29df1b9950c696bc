/** The largest amount in the ledger: a trillion USD, well below 2^53 cents. */
export const maxCents = 100_000_000_000_000;

/** Converts cents to the JSON number on the wire: 12550 becomes 125.5. */
export function usdFromCents(cents: number): number {
  return cents / 100;
}

/** Writes cents as USD in a sentence: 12550 becomes "125.50". */
export function usdText(cents: number): string {
  return (cents / 100).toFixed(2);
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

const rateDecimals = 18;
const plainRate = /^(0|[1-9]\d{0,11})(?:\.(\d{1,18}))?$/;

/**
 * Reads USD per coin as an integer of 10^-18 USD, so that rates are compared exactly. Returns undefined for
 * anything but a plain decimal above zero: exponents, signs, spaces and `NaN` are rejected.
 */
export function rateUnits(text: string): bigint | undefined {
  const [, whole, fraction = ""] = plainRate.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const units = BigInt(whole + fraction.padEnd(rateDecimals, "0"));
  return units === 0n ? undefined : units;
}

/** The one way to write a rate: at least two decimals, and no trailing zeros after them. */
export function rateFromUnits(units: bigint): string {
  const digits = String(units).padStart(rateDecimals + 1, "0");
  const [whole, fraction] = [digits.slice(0, -rateDecimals), digits.slice(-rateDecimals)];
  return `${whole}.${fraction.replace(/0{1,16}$/, "")}`;
}
