const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** To the cent, with a typographic minus: $1,234.50, −$12.00. */
export function moneyText(usd: number): string {
  return format.format(usd).replace("-", "−");
}

const whole = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** Whole dollars, for chart axes. */
export function wholeMoneyText(usd: number): string {
  return whole.format(usd).replace("-", "−");
}

const price = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 8,
});

/** The price of a coin, which may need more than two decimals: $80.00, $0.9985. */
export function priceText(usd: string): string {
  return price.format(Number(usd));
}

/** With an explicit sign: +$25.00. */
export function movementText(usd: number): string {
  return usd > 0 ? `+${moneyText(usd)}` : moneyText(usd);
}

/** Adds in whole cents, because 0.1 + 0.2 is not 0.3 in floating point. */
export function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((cents, usd) => cents + centsOf(usd), 0) / 100;
}

export function centsOf(usd: number): number {
  return Math.round(usd * 100);
}
