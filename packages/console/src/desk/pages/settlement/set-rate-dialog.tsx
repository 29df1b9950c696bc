import type { Rate, SetRateRequest } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { priceText } from "#ui/money-text.ts";
import { percentText } from "#ui/percent-text.ts";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { changeText } from "./change-text.ts";

const partialPrice = /^\d{0,12}(?:\.\d{0,18})?$/;
const hourMs = 3_600_000;
/** The longest time ends a little early, because the browser's clock may be ahead of the service's. */
const skewMs = 60_000;

const durations = {
  "1": "1 hour",
  "4": "4 hours",
  "8": "8 hours",
  "24": "24 hours",
} as const;
type Hours = keyof typeof durations;
const hours = Object.keys(durations) as readonly Hours[];

export function SetRateDialog({
  rate: { asset, usd: current },
  onClose,
}: {
  readonly rate: Rate;
  readonly onClose: () => void;
}) {
  const [usd, setUsd] = useState("");
  const [duration, setDuration] = useState<Hours>("8");
  const set = useChange(
    (request: SetRateRequest) => client.setRate(request),
    [keys.rates, keys.settlement],
  );
  const isComplete = Number(usd) > 0;
  return (
    <ConfirmDialog
      isOpen
      title={`Set rate of ${asset}`}
      description={
        <p>
          {current === null ? "There is no rate now." : `Now ${priceText(current)}.`} A change of
          more than {percentText(20)} needs a second operator, who confirms it on this page.
        </p>
      }
      confirmLabel="Set rate"
      isPending={set.isPending}
      isBlocked={!isComplete}
      error={set.error}
      onConfirm={() =>
        set.mutate(
          {
            asset,
            usd,
            validUntil: new Date(Date.now() + Number(duration) * hourMs - skewMs).toISOString(),
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="usd"
          label={`USD per ${asset}`}
          prefix="$"
          inputMode="decimal"
          className="figures"
          hint={isComplete ? changeHint(current, usd) : undefined}
          value={usd}
          onChange={(text) => {
            if (partialPrice.test(text)) setUsd(text);
          }}
          autoComplete="off"
        />
        <SelectField
          name="validUntil"
          label="Valid for"
          value={duration}
          onChange={setDuration}
          options={hours.map((value) => ({ value, label: durations[value] }))}
        />
      </div>
    </ConfirmDialog>
  );
}

function changeHint(current: string | null, usd: string): string | undefined {
  const change = changeText(current, usd);
  return change === "" ? undefined : `Change: ${change.slice(1, -1)}`;
}
