import type { ReadQuoteAnswer } from "@ironlease/client";
import { Money } from "#ui/money.tsx";
import { sumUsd } from "#ui/money-text.ts";
import { classNames } from "#ui/class-names.ts";
import { termWords, type OrderChoice } from "./order-choice.ts";

/** The service's quote, line by line. The page computes only the amount of the discount. */
export function QuoteSummary({
  quote,
  choice,
  isStale,
}: {
  readonly quote: ReadQuoteAnswer;
  readonly choice: OrderChoice;
  /** A newer quote is loading. */
  readonly isStale: boolean;
}) {
  const { unitUsd, discountPercent, totalUsd } = quote;
  const full = sumUsd(Array.from({ length: choice.quantity }, () => unitUsd));
  return (
    <dl
      aria-label="Price"
      aria-live="polite"
      className={classNames("flex flex-col gap-2 text-sm", isStale && "opacity-60")}
    >
      <Line name={`${choice.quantity} × ${termWords[choice.term].days}`}>
        <Money usd={full} />
      </Line>
      {discountPercent > 0 && (
        <Line name={`Quantity discount (${discountPercent}%)`}>
          <Money usd={sumUsd([totalUsd, -full])} className="text-good" />
        </Line>
      )}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-3">
        <dt className="font-medium">Total due now</dt>
        <dd className="text-xl font-semibold">
          <Money usd={totalUsd} />
        </dd>
      </div>
    </dl>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
