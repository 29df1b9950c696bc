import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { priceIn, type Offer, type OfferRow } from "./offer-rows.ts";

type ScheduledPrices = NonNullable<Offer["scheduledPrices"]>;

interface Line {
  /** A whole time in UTC, so that the seconds of a price set in the JSON stay until the field is changed. */
  readonly from: string;
  readonly weekly: string;
  readonly monthly: string;
}

const noLine: Line = { from: "", weekly: "", monthly: "" };

/** Edits the later prices of an offer. */
export function ScheduleDialog({
  row: { configId, offer },
  onSave,
  onClose,
}: {
  readonly row: OfferRow;
  readonly onSave: (prices: ScheduledPrices | undefined) => void;
  readonly onClose: () => void;
}) {
  const [lines, setLines] = useState<readonly Line[]>(
    (offer.scheduledPrices ?? []).map(({ from, weeklyUsd, monthlyUsd }) => ({
      from,
      weekly: weeklyUsd.toFixed(2),
      monthly: monthlyUsd.toFixed(2),
    })),
  );
  const prices = pricesIn(lines);
  const set = (index: number, changes: Partial<Line>) =>
    setLines(lines.map((line, at) => (at === index ? { ...line, ...changes } : line)));
  const title = `Scheduled prices of ${configId} in ${offer.regionId}`;
  return (
    <Dialog
      isOpen
      title={title}
      description={
        <p>
          Each price applies from its time (UTC) to orders placed then. Existing servers keep
          theirs.
        </p>
      }
      onClose={onClose}
    >
      <Form
        label={title}
        error={null}
        onSubmit={() => prices !== undefined && onSave(prices.length === 0 ? undefined : prices)}
      >
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line is its position
          <fieldset key={index} className="grid items-end gap-3 sm:grid-cols-[5fr_2fr_2fr_auto]">
            <TextField
              name={`from${index}`}
              label="From (UTC)"
              type="datetime-local"
              value={line.from.slice(0, 16)}
              onChange={(minute) =>
                set(index, { from: minute === "" ? "" : `${minute.slice(0, 16)}:00.000Z` })
              }
            />
            <TextField
              name={`weekly${index}`}
              label="Weekly"
              prefix="$"
              inputMode="decimal"
              value={line.weekly}
              onChange={(weekly) => set(index, { weekly })}
            />
            <TextField
              name={`monthly${index}`}
              label="Monthly"
              prefix="$"
              inputMode="decimal"
              value={line.monthly}
              onChange={(monthly) => set(index, { monthly })}
            />
            <Button onClick={() => setLines(lines.filter((_, at) => at !== index))}>
              Remove<span className="sr-only"> price {index + 1}</span>
            </Button>
          </fieldset>
        ))}
        <div>
          <Button onClick={() => setLines([...lines, noLine])}>Add price</Button>
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={prices === undefined}>
            Set prices
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** In order of time. Undefined while a line is incomplete or two begin at once. */
function pricesIn(lines: readonly Line[]): ScheduledPrices | undefined {
  const prices = lines.flatMap(({ from, weekly, monthly }) => {
    const [weeklyUsd, monthlyUsd] = [priceIn(weekly), priceIn(monthly)];
    if (from === "" || weeklyUsd === undefined || monthlyUsd === undefined) return [];
    return [{ from, weeklyUsd, monthlyUsd }];
  });
  const times = new Set(prices.map(({ from }) => Date.parse(from)));
  if (prices.length < lines.length || times.size < prices.length) return undefined;
  return prices.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
}
