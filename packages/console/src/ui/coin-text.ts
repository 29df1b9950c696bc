const decimals = { BTC: 8, LTC: 8, XMR: 12, ETH: 18, USDC: 6, USDT: 6 } as const;

type Asset = keyof typeof decimals;

/** Between the smallest unit and the whole coin. */
export function decimalsOf(asset: Asset): number {
  return decimals[asset];
}

/** Smallest units as whole coins: "1.5 LTC", "-0.00001 LTC". */
export function coinText(units: bigint, asset: Asset): string {
  const sign = units < 0n ? "-" : "";
  return `${sign}${decimalText(units < 0n ? -units : units, decimals[asset])} ${asset}`;
}

/** An amount of the API, which has all decimals of the asset: "1.500000 ETH" becomes "1.5 ETH". */
export function amountText(amount: string): string {
  return amount.includes(".") ? trimmed(amount) : amount;
}

/** A decimal without trailing zeros, and without the point if nothing follows it. */
function trimmed(decimal: string): string {
  let end = decimal.length;
  while (decimal[end - 1] === "0") end -= 1;
  if (decimal[end - 1] === ".") end -= 1;
  return decimal.slice(0, end);
}

/** Units as a decimal without trailing zeros: "0.02". */
export function decimalText(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, "0");
  const split = digits.length - places;
  let fraction = digits.slice(split);
  while (fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  return fraction === "" ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`;
}
