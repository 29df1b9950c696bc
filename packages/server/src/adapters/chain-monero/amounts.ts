const decimals = 12;

/** An amount of the smallest units in whole coins, for messages. */
export function coinsOf(units: bigint): string {
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)} XMR`;
}
