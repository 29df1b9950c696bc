const decimals = 8;

/** From here on, neighbouring doubles are more than one unit apart. It is most of all Litecoin ever. */
const exactBelow = 2 ** 26;

/**
 * The smallest units in an amount of whole coins, as JSON.parse reads it. Undefined when it is no amount.
 * Rounding the decimal expansion is exact. Multiplying first would round twice.
 */
export function unitsOf(coins: unknown): bigint | undefined {
  if (typeof coins !== "number" || !(coins >= 0 && coins < exactBelow)) return undefined;
  return BigInt(coins.toFixed(decimals).replace(".", ""));
}

/** An amount of the smallest units in whole coins, for messages. */
export function coinsOf(units: bigint): string {
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
