import { useCallback, useMemo } from "react";
import uPlot from "uplot";
import { axesFor, coloursOf, Plot, yRange } from "./plot.tsx";

/** A step chart: each value holds until the next. */
export function StepChart({
  label,
  xs,
  ys,
  yText,
}: {
  readonly label: string;
  /** Unix time in seconds, ascending. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly yText: (y: number) => string;
}) {
  const data = useMemo<uPlot.AlignedData>(() => [[...xs], [...ys]], [xs, ys]);
  const optionsFor = useCallback((element: HTMLElement) => stepOptions(element, yText), [yText]);
  return <Plot label={label} data={data} optionsFor={optionsFor} />;
}

function stepOptions(element: HTMLElement, yText: (y: number) => string) {
  const [accent, soft] = coloursOf(element, ["--color-accent", "--color-accent-soft"]);
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: yRange } },
    axes: axesFor(element, yText),
    series: [
      {},
      {
        stroke: accent ?? "gray",
        fill: soft ?? "transparent",
        width: 2,
        points: { show: false },
        ...(stepped === undefined ? {} : { paths: stepped }),
      },
    ],
  };
}
