import { Suspense, useState, type ReactNode } from "react";
import { lazyPart } from "#app/lazy-part.tsx";
import { Money } from "#ui/money.tsx";
import { moneyText, sumUsd } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { Skeleton } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { classNames } from "#ui/class-names.ts";
import { utcDayText } from "#ui/utc-day-text.ts";
import type { DaySeries } from "./day-bars.tsx";

const DayBars = lazyPart(async () => (await import("./day-bars.tsx")).DayBars);

export interface NamedSeries extends DaySeries {
  /** The class for the legend, in the colour of the bars. */
  readonly keyClass: string;
}

/** A chart of daily totals with a data table. The legend has the sums, or the values of the day under the pointer. */
export function DayChart({
  title,
  description,
  days,
  actions,
  series,
}: {
  readonly title: string;
  readonly description: string;
  readonly days: readonly string[];
  readonly actions?: ReactNode;
  readonly series: readonly NamedSeries[];
}) {
  const [pointed, setPointed] = useState<number>();
  const day = pointed === undefined ? undefined : days[pointed];
  const sums = series.map(({ name, usd }) => `${name} ${moneyText(sumUsd(usd))}`);
  return (
    <Panel title={title} description={description} actions={actions}>
      <ul className="mb-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {series.map(({ name, usd, keyClass }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden className={classNames("size-2.5 rounded-sm", keyClass)} />
            {name}{" "}
            <Money
              usd={pointed === undefined ? sumUsd(usd) : (usd[pointed] ?? 0)}
              className="font-medium"
            />
          </li>
        ))}
        <li className="figures text-quiet">
          {day === undefined ? `${days.length} days` : utcDayText(day)}
        </li>
      </ul>
      <Suspense fallback={<Skeleton className="h-60 w-full" />}>
        <DayBars
          label={`${title} per day over ${days.length} days. Total: ${sums.join(", ")}.`}
          days={days}
          series={series.map(({ name, colour, usd }) => ({ name, colour, usd }))}
          onPoint={setPointed}
        />
      </Suspense>
      <details className="mt-3 text-sm">
        <summary className="w-fit rounded-sm text-quiet hover:text-text">Daily figures</summary>
        <div className="mt-2 max-h-72 overflow-y-auto rounded-md border border-line">
          <Table
            label={`${title} per day`}
            isDense
            columns={columnsOf(series)}
            rows={days.map((day, index) => ({ day, index })).toReversed()}
            keyOf={({ day }) => day}
          />
        </div>
      </details>
    </Panel>
  );
}

interface Day {
  readonly day: string;
  readonly index: number;
}

function columnsOf(series: readonly NamedSeries[]): readonly Column<Day>[] {
  return [
    { title: "Day (UTC)", isHeading: true, cell: ({ day }) => utcDayText(day) },
    ...series.map(({ name, usd }): Column<Day> => ({
      title: name,
      isNumber: true,
      cell: ({ index }) => <Money usd={usd[index] ?? 0} />,
    })),
  ];
}
