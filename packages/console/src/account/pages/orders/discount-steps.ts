import type { Discount } from "@ironlease/client";
import { quantityLimits } from "./order-choice.ts";

/** The steps that a customer can reach, smallest quantity first. A step that gives no more than an earlier one is left out. */
export function discountSteps(discounts: readonly Discount[]): readonly Discount[] {
  const steps: Discount[] = [];
  for (const discount of discounts.toSorted((a, b) => a.minQuantity - b.minQuantity)) {
    const best = steps.at(-1)?.percent ?? 0;
    if (discount.percent > best && discount.minQuantity <= quantityLimits.max) steps.push(discount);
  }
  return steps;
}

/** "1 more: 5% off each", or undefined at the last step. */
export function nextStepText(quantity: number, discounts: readonly Discount[]): string | undefined {
  const next = discountSteps(discounts).find(({ minQuantity }) => minQuantity > quantity);
  if (next === undefined) return undefined;
  return `${next.minQuantity - quantity} more: ${next.percent}% off each`;
}
