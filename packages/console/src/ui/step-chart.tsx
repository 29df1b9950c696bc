import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { useTheme } from "../theme/theme.ts";

interface StepChartProps {
  readonly label: string;
  /** Seconds since 1970, in order. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly yText: (y: number) => string;
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function followSystem(listener: () => void): () => void {
  darkSystem.addEventListener("change", listener);
  return () => darkSystem.removeEventListener("change", listener);
}

/** A value that holds until the next one. Drawn in the page's own colours; told in its label. */
export function StepChart(props: StepChartProps) {
  const [theme] = useTheme();
  const isDark = useSyncExternalStore(followSystem, () => darkSystem.matches);
  // A canvas does not follow the page's colours by itself: it is drawn anew.
  return <Drawing key={`${theme} ${isDark}`} {...props} />;
}

function Drawing({ label, xs, ys, yText }: StepChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const chart = new uPlot(optionsFor(element, yText), [[...xs], [...ys]], element);
    const observer = new ResizeObserver(() => {
      chart.setSize({ width: element.clientWidth, height: heightPx });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [xs, ys, yText]);
  return <div ref={place} role="img" aria-label={label} className="h-60 w-full overflow-hidden" />;
}

const heightPx = 240;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

function dayText(seconds: number): string {
  return day.format(seconds * 1_000);
}

function optionsFor(element: HTMLElement, yText: (y: number) => string): uPlot.Options {
  const [accent, quiet, line, soft] = coloursOf(element, [
    "--color-accent",
    "--color-quiet",
    "--color-line",
    "--color-accent-soft",
  ]);
  const axis: uPlot.Axis = {
    stroke: quiet ?? "gray",
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: line ?? "gray", width: 1 },
    ticks: { show: false },
  };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high === 0 ? 1 : high * 1.1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 80,
        size: 32,
        values: (_, ticks) => ticks.map(dayText),
      },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(yText) },
    ],
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

/** A canvas needs colours as such: what a token stands for here and now is asked of the browser. */
function coloursOf(element: HTMLElement, tokens: readonly string[]): readonly string[] {
  const probe = document.createElement("span");
  element.append(probe);
  const colours = tokens.map((token) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}
