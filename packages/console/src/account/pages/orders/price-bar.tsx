import type { ReactNode } from "react";
import { classNames } from "#ui/class-names.ts";
import { Money } from "#ui/money.tsx";
import { Skeleton } from "#ui/states.tsx";

/** The price and the next step, at the bottom of the window while the choices are above it. */
export function PriceBar({
  what,
  totalUsd,
  isStale = false,
  action,
}: {
  readonly what: string;
  /** Undefined while the quote loads. */
  readonly totalUsd?: number | undefined;
  readonly isStale?: boolean;
  readonly action?: ReactNode;
}) {
  return (
    <section
      aria-label="Price and next step"
      className="sticky bottom-0 z-10 -mx-4 flex min-h-18 items-center justify-between gap-4 border-t border-line bg-surface px-4 py-3 shadow-float sm:mx-0 sm:rounded-t-lg sm:border-x 2xl:hidden"
    >
      <p className="flex min-w-0 flex-col">
        {action !== undefined && (
          <span className={classNames("text-lg leading-6 font-semibold", isStale && "opacity-60")}>
            {totalUsd === undefined ? (
              <Skeleton className="my-1 h-4 w-20" />
            ) : (
              <Money usd={totalUsd} />
            )}
          </span>
        )}
        <span className="truncate text-sm text-quiet">{what}</span>
      </p>
      {action}
    </section>
  );
}
