/** An integer of the smallest unit as a decimal of the whole coin, at its full precision. */
export function coinAmount(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

const plainRate = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/**
 * What an amount is worth in whole cents at a rate of USD for a whole coin. Integers all the way, and
 * rounded down, so that the house never credits more than was paid. Undefined when the rate is not a
 * plain decimal above zero: crediting nothing now is mended by the next pass, crediting wrong is not.
 */
export function centsOf(units: bigint, decimals: number, rate: string): bigint | undefined {
  const [, whole = "", fraction = ""] = plainRate.exec(rate) ?? [];
  const rateUnits = BigInt(whole + fraction);
  if (rateUnits === 0n) return undefined;
  return (units * rateUnits * 100n) / 10n ** BigInt(decimals + fraction.length);
}
