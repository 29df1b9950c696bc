import type { Discount } from "@ironlease/client";
import { useId } from "react";
import { Button, IconButton } from "#ui/button.tsx";
import { Minus, Plus } from "#ui/icons.ts";
import { discountSteps, nextStepText } from "./discount-steps.ts";
import { clampQuantity, quantityLimits } from "./order-choice.ts";

/** The quantity, with a button for each discount step. */
export function QuantityField({
  value,
  discounts,
  onChange,
}: {
  readonly value: number;
  readonly discounts: readonly Discount[];
  readonly onChange: (quantity: number) => void;
}) {
  const id = useId();
  const { min, max } = quantityLimits;
  const steps = discountSteps(discounts);
  const reached = steps.findLast(({ minQuantity }) => value >= minQuantity);
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="sr-only">
        Quantity
      </label>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex w-fit items-center rounded-md border border-control bg-surface">
          <IconButton
            label="Decrease quantity"
            disabled={value <= min}
            icon={<Minus aria-hidden className="size-4" />}
            className="size-11"
            onClick={() => onChange(value - 1)}
          />
          <input
            id={id}
            inputMode="numeric"
            value={value}
            aria-describedby={`${id}-hint`}
            className="figures h-11 w-14 bg-transparent text-center text-base"
            onChange={(event) => {
              const digits = event.target.value.replaceAll(/\D/g, "");
              if (digits !== "") onChange(clampQuantity(Number(digits)));
            }}
          />
          <IconButton
            label="Increase quantity"
            disabled={value >= max}
            icon={<Plus aria-hidden className="size-4" />}
            className="size-11"
            onClick={() => onChange(value + 1)}
          />
        </div>
        {/* In rows of their own on a phone, in line with the field. */}
        <div className="flex flex-wrap gap-x-4 gap-y-1 max-sm:-mx-3 max-sm:basis-full max-sm:gap-x-1">
          {steps.map(({ minQuantity, percent }) => (
            <Button
              key={minQuantity}
              size="small"
              variant={reached?.minQuantity === minQuantity ? "secondary" : "quiet"}
              aria-pressed={reached?.minQuantity === minQuantity}
              onClick={() => onChange(minQuantity)}
            >
              {minQuantity} or more: {percent}% off
            </Button>
          ))}
        </div>
      </div>
      <p id={`${id}-hint`} aria-live="polite" className="text-sm text-quiet">
        {nextStepText(value, discounts) ?? `${min} to ${max} servers`}
      </p>
    </div>
  );
}
