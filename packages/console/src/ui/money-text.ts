const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Exact to the cent, with a real minus sign: $1,234.50, −$12.00. */
export function moneyText(usd: number): string {
  return format.format(usd).replace("-", "−");
}

const whole = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** For the axis of a chart, where only the size matters. */
export function wholeMoneyText(usd: number): string {
  return whole.format(usd).replace("-", "−");
}

/** The sign stands before every amount that is a movement: +$25.00. */
export function movementText(usd: number): string {
  return usd > 0 ? `+${moneyText(usd)}` : moneyText(usd);
}

/** Sums are made in whole cents: 0.1 + 0.2 is no sum of money. */
export function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((cents, usd) => cents + centsOf(usd), 0) / 100;
}

export function centsOf(usd: number): number {
  return Math.round(usd * 100);
}
