import { useCallback, useMemo } from "react";
import uPlot from "uplot";
import { axesFor, coloursOf, Plot, yRange } from "#ui/plot.tsx";
import { wholeMoneyText } from "#ui/money-text.ts";

export interface DaySeries {
  readonly name: string;
  /** A CSS colour token. */
  readonly colour: string;
  readonly usd: readonly number[];
}

/** Daily totals as bars, for up to two series. */
export function DayBars({
  label,
  days,
  series,
  onPoint,
}: {
  readonly label: string;
  /** In UTC: `2026-11-15`. */
  readonly days: readonly string[];
  readonly series: readonly DaySeries[];
  /** Receives the index of the day under the pointer. Must be referentially stable. */
  readonly onPoint: (day: number | undefined) => void;
}) {
  // Polling returns equal data in new arrays; redraw only when the numbers change.
  const name = JSON.stringify([days, series]);
  const data = useMemo<uPlot.AlignedData>(() => {
    const [dayList, seriesList] = JSON.parse(name) as [string[], DaySeries[]];
    return [
      dayList.map((day) => Date.parse(day) / 1_000),
      ...seriesList.map(({ usd }) => [...usd]),
    ];
  }, [name]);
  const colours = series.map(({ colour }) => colour).join(" ");
  const optionsFor = useCallback(
    (element: HTMLElement) => barOptions(element, colours.split(" "), onPoint),
    [colours, onPoint],
  );
  return <Plot label={label} data={data} optionsFor={optionsFor} />;
}

function barOptions(
  element: HTMLElement,
  tokens: readonly string[],
  onPoint: (day: number | undefined) => void,
) {
  const colours = coloursOf(element, tokens);
  return {
    legend: { show: false },
    // Only the position counts: neither lines nor points, and dragging selects nothing.
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }: uPlot) => onPoint(cursor.idx ?? undefined)] },
    // Half a day of padding, so that the first and last bars are not cut off.
    scales: {
      x: {
        range: (_: uPlot, low: number, high: number) =>
          [low - 43_200, high + 43_200] as [number, number],
      },
      y: { range: yRange },
    },
    axes: axesFor(element, wholeMoneyText),
    series: [
      {},
      ...colours.map((colour, index) => {
        const align = barAlign(index, colours.length);
        const bars = uPlot.paths.bars?.({ size: [colours.length === 1 ? 0.7 : 0.38, 40], align });
        return {
          stroke: colour,
          fill: colour,
          width: 0,
          points: { show: false },
          ...(bars === undefined ? {} : { paths: bars }),
        };
      }),
    ],
  };
}

/** A single bar is centred on its day; two bars sit on either side. */
function barAlign(index: number, count: number): -1 | 0 | 1 {
  if (count === 1) return 0;
  return index === 0 ? -1 : 1;
}
