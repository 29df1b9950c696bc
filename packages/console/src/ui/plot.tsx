import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { useTheme } from "./theme.ts";

interface PlotProps {
  readonly label: string;
  readonly data: uPlot.AlignedData;
  /** Must be referentially stable, or the chart is redrawn. */
  readonly optionsFor: (element: HTMLElement) => Omit<uPlot.Options, "width" | "height">;
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function followSystem(listener: () => void): () => void {
  darkSystem.addEventListener("change", listener);
  return () => darkSystem.removeEventListener("change", listener);
}

/** A chart in the theme's colours. The label describes it for screen readers. */
export function Plot(props: PlotProps) {
  const [theme] = useTheme();
  const isDark = useSyncExternalStore(followSystem, () => darkSystem.matches);
  // A canvas does not follow CSS colours, so a theme change redraws it.
  return <Drawing key={`${theme} ${isDark}`} {...props} />;
}

function Drawing({ label, data, optionsFor }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const size = () => ({ width: element.clientWidth, height: heightPx });
    const chart = new uPlot({ tzDate, ...optionsFor(element), ...size() }, data, element);
    const observer = new ResizeObserver(() => chart.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data, optionsFor]);
  return (
    <div ref={container} role="img" aria-label={label} className="h-60 w-full overflow-hidden" />
  );
}

/** Charts show days in UTC, so their ticks are at midnight in UTC. */
function tzDate(seconds: number): Date {
  return uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC");
}

const heightPx = 240;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const daySeconds = 86_400;

/** Days in UTC on the x axis, values on the y axis. */
export function axesFor(element: HTMLElement, yText: (y: number) => string): uPlot.Axis[] {
  const [quiet, line] = coloursOf(element, ["--color-quiet", "--color-line"]);
  const axis: uPlot.Axis = {
    stroke: quiet ?? "gray",
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: line ?? "gray", width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...axis,
      grid: { show: false },
      space: 70,
      size: 28,
      gap: 10,
      // Ticks within a day would repeat its date. From 30 days on, they are at the first of a month.
      incrs: [1, 2, 7, 14, 28, 60, 90].map((days) => days * daySeconds),
      values: (_, ticks) => ticks.map((seconds) => day.format(seconds * 1_000)),
    },
    { ...axis, size: 64, values: (_, ticks) => ticks.map(yText) },
  ];
}

/** From zero, or the lowest negative value, to a little above the highest. */
export function yRange(_: uPlot, low: number, high: number): uPlot.Range.MinMax {
  return [Math.min(0, low), high <= 0 ? 100 : high * 1.1];
}

/** Resolves CSS colour tokens, because a canvas needs literal colours. */
export function coloursOf(element: HTMLElement, tokens: readonly string[]): readonly string[] {
  const probe = document.createElement("span");
  element.append(probe);
  const colours = tokens.map((token) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}
