/** An integer of the smallest unit as a decimal of the whole coin, at full precision. */
export function coinAmount(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** For people: without trailing zeros. */
export function shortCoinAmount(units: bigint, decimals: number): string {
  const whole = coinAmount(units, decimals);
  if (decimals === 0) return whole;
  let end = whole.length;
  while (whole[end - 1] === "0") end -= 1;
  return whole.slice(0, whole[end - 1] === "." ? end - 1 : end);
}

const plainRate = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/**
 * The value of an amount in whole cents, at a rate of USD per whole coin. Computed in integers and rounded down, so
 * the service never credits more than was paid. Undefined when the rate is not a positive decimal: a missing credit
 * is fixed by the next pass, a wrong one is not.
 */
export function centsOf(units: bigint, decimals: number, rate: string): bigint | undefined {
  const [, whole = "", fraction = ""] = plainRate.exec(rate) ?? [];
  const rateUnits = BigInt(whole + fraction);
  if (rateUnits === 0n) return undefined;
  return (units * rateUnits * 100n) / 10n ** BigInt(decimals + fraction.length);
}

/**
 * How many of the smallest units a sum in cents buys, at a rate of USD per whole coin. Rounded down, so the service
 * never pays out more than was withdrawn. Undefined when the rate is not a positive decimal.
 */
export function unitsOf(cents: number, decimals: number, rate: string): bigint | undefined {
  const [, whole = "", fraction = ""] = plainRate.exec(rate) ?? [];
  const rateUnits = BigInt(whole + fraction);
  if (rateUnits === 0n) return undefined;
  return (BigInt(cents) * 10n ** BigInt(decimals + fraction.length)) / (rateUnits * 100n);
}

/** The smallest units in an amount that `coinAmount` wrote. */
export function unitsOfAmount(amount: string): bigint {
  return BigInt(amount.replace(".", ""));
}
