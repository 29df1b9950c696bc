import type { Rate } from "@ironlease/client";
import { CopyButton } from "#ui/copy-button.tsx";
import { TextField } from "#ui/field.tsx";
import { Skeleton } from "#ui/states.tsx";
import type { Asset } from "#account/shared/assets.ts";
import { CurrentRate } from "./current-rate.tsx";

const partialAmount = /^\d{0,9}(?:\.\d{0,2})?$/;

/** Asks for USD and shows the coins to send. */
export function CoinCalculator({
  asset,
  rate,
  usd,
  coins,
  onChange,
}: {
  readonly asset: Asset;
  /** Undefined until the rates have been read. */
  readonly rate: Rate | undefined;
  readonly usd: string;
  readonly coins: string | undefined;
  readonly onChange: (usd: string) => void;
}) {
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
      <TextField
        name="usd"
        label="Amount in USD"
        prefix="$"
        inputMode="decimal"
        placeholder="100.00"
        hint={
          rate === undefined ? (
            <Skeleton className="my-1 h-3.5 w-48" />
          ) : (
            <CurrentRate rate={rate} />
          )
        }
        className="figures"
        value={usd}
        onChange={(next) => {
          if (partialAmount.test(next)) onChange(next);
        }}
        autoComplete="off"
      />
      <div className="flex min-w-0 flex-col gap-1.5">
        <span className="text-sm font-medium">Send</span>
        <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
          <output aria-label={`Amount in ${asset}`} className="figures min-w-0 break-all">
            {coins === undefined ? (
              <span className="text-quiet">Any amount</span>
            ) : (
              <span className="font-medium">
                {coins} {asset}
              </span>
            )}
          </output>
          {coins !== undefined && <CopyButton text={coins} what="amount" />}
        </div>
      </div>
    </div>
  );
}
