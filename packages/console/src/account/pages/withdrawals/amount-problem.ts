import { centsOf, moneyText } from "#ui/money-text.ts";

export const minUsd = 1;
export const maxUsd = 100_000;

/** What is wrong with an amount, before it is sent. The service decides with the balance that it has then. */
export function amountProblem(usd: string, balanceUsd: number | undefined): string | undefined {
  if (usd === "" || Number.isNaN(Number(usd))) return undefined;
  const cents = centsOf(Number(usd));
  if (balanceUsd !== undefined && cents > centsOf(balanceUsd)) {
    return `more than your balance of ${moneyText(balanceUsd)}`;
  }
  if (cents > centsOf(maxUsd)) return `must be at most ${moneyText(maxUsd)}`;
  // While the user types 0.5 or 05, the amount may still become larger.
  if (cents < centsOf(minUsd) && /^0\.\d\d$/.test(usd)) {
    return `must be at least ${moneyText(minUsd)}`;
  }
  return undefined;
}

const amount = /^(?:0|[1-9]\d{0,5})(?:\.\d{1,2})?$/;

/** Whether the amount is complete and can be sent. */
export function isReviewable(usd: string, balanceUsd: number | undefined): boolean {
  if (!amount.test(usd) || centsOf(Number(usd)) < centsOf(minUsd)) return false;
  return amountProblem(usd, balanceUsd) === undefined;
}
