import { useCallback, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import { axesFor, coloursOf, Plot, yRange } from "./plot.tsx";

interface Point {
  /** Midnight in UTC. */
  readonly at: number;
  readonly usd: number;
  readonly kind: "past" | "now" | "projected";
}

/**
 * A step for each day: solid up to today, dashed for what is projected. The pointer and the arrow keys choose a day,
 * whose values are above the chart.
 */
export function BalanceChart({
  label,
  points,
  textOf,
  yText,
}: {
  readonly label: string;
  readonly points: readonly Point[];
  /** Describes the day with this index. */
  readonly textOf: (index: number) => string;
  readonly yText: (usd: number) => string;
}) {
  const today = points.findIndex(({ kind }) => kind === "now");
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const shown = hovered ?? focused ?? today;
  const data = useMemo<uPlot.AlignedData>(
    () => [
      points.map(({ at }) => at / 1_000),
      points.map(({ usd, kind }) => (kind === "projected" ? null : usd)),
      points.map(({ usd, kind }) => (kind === "past" ? null : usd)),
    ],
    [points],
  );
  const optionsFor = useCallback(
    (element: HTMLElement) => balanceOptions(element, yText, setHovered, chart),
    [yText],
  );
  const choose = (index: number) => {
    const next = Math.min(points.length - 1, Math.max(0, index));
    setFocused(next);
    setHovered(null);
    moveCursor(chart.current, points[next]);
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="figures min-h-6 text-sm font-medium">{textOf(shown)}</p>
      {/* The slider hides the label of the chart inside it from screen readers. */}
      <p className="sr-only">{label}</p>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Day of the balance chart"
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={shown}
        aria-valuetext={textOf(shown)}
        className="rounded-sm"
        onKeyDown={(event) => {
          const next = keySteps[event.key]?.(shown, points.length);
          if (next === undefined) return;
          event.preventDefault();
          choose(next);
        }}
        onBlur={() => {
          setFocused(null);
          moveCursor(chart.current, undefined);
        }}
      >
        <Plot label={label} data={data} optionsFor={optionsFor} />
      </div>
      <p aria-hidden className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-quiet">
        <span className="flex items-center gap-2">
          <span className="w-5 border-t-2 border-data" /> Balance at the end of each day (UTC)
        </span>
        <span className="flex items-center gap-2">
          <span className="w-5 border-t-2 border-dashed border-data" /> Projected after renewals
        </span>
      </p>
    </div>
  );
}

const keySteps: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index) => index - 7,
  PageUp: (index) => index + 7,
  Home: () => 0,
  End: (_, length) => length - 1,
};

function moveCursor(chart: uPlot | undefined, point: Point | undefined): void {
  const left = point === undefined ? -10 : (chart?.valToPos(point.at / 1_000, "x") ?? -10);
  const top = point === undefined ? -10 : (chart?.valToPos(point.usd, "y") ?? -10);
  // Without the hook, which reports the pointer only.
  chart?.setCursor({ left, top }, false);
}

function balanceOptions(
  element: HTMLElement,
  yText: (usd: number) => string,
  onHover: (index: number | null) => void,
  chart: { current: uPlot | undefined },
) {
  const [line, soft] = coloursOf(element, ["--color-data", "--color-data-soft"]);
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const series: uPlot.Series = {
    stroke: line ?? "gray",
    width: 2,
    points: { show: false },
    ...(stepped === undefined ? {} : { paths: stepped }),
  };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: yRange } },
    axes: axesFor(element, yText),
    series: [{}, { ...series, fill: soft ?? "transparent" }, { ...series, dash: [6, 4] }],
    hooks: {
      init: [
        (made: uPlot) => {
          chart.current = made;
        },
      ],
      setCursor: [(made: uPlot) => onHover(made.cursor.idx ?? null)],
    },
  };
}
