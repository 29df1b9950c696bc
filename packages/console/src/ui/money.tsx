import { classNames } from "./class-names.ts";

const format = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Exact to the cent, with a real minus sign: $1,234.50, −$12.00. */
export function moneyText(usd: number): string {
  return format.format(usd).replace("-", "−");
}

/** The sign stands before every amount that is a movement: +$25.00. */
export function movementText(usd: number): string {
  return usd > 0 ? `+${moneyText(usd)}` : moneyText(usd);
}

export function Money({
  usd,
  isMovement = false,
  className,
}: {
  readonly usd: number;
  readonly isMovement?: boolean;
  readonly className?: string;
}) {
  return (
    <span className={classNames("figures whitespace-nowrap", className)}>
      {isMovement ? movementText(usd) : moneyText(usd)}
    </span>
  );
}

/** Sums are made in whole cents: 0.1 + 0.2 is no sum of money. */
export function sumUsd(amounts: readonly number[]): number {
  return amounts.reduce((cents, usd) => cents + centsOf(usd), 0) / 100;
}

export function centsOf(usd: number): number {
  return Math.round(usd * 100);
}
