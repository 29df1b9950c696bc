import type { Discount } from "@ironlease/client";
import { useId } from "react";
import { IconButton } from "#ui/button.tsx";
import { Minus, Plus } from "#ui/icons.ts";
import { clampQuantity, quantityLimits } from "./order-choice.ts";

/** The quantity, with the available discounts. */
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
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="sr-only">
        Quantity
      </label>
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
      <p id={`${id}-hint`} className="text-sm text-quiet">
        {min} to {max}.
        {discounts.length > 0 && ` Discounts: ${discounts.map(discountText).join(", ")}.`}
      </p>
    </div>
  );
}

function discountText({ minQuantity, percent }: Discount): string {
  return `${percent}% from ${minQuantity}`;
}
