import type { Histogram } from "./histogram.ts";

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];
export type HistogramSample = readonly [labels: Labels, histogram: Histogram];

/** One metric with all its label combinations, as lines of the Prometheus text format. */
export type Family = readonly string[];

export function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return simpleFamily(name, help, "gauge", samples);
}

export function counter(name: string, help: string, samples: readonly Sample[]): Family {
  return simpleFamily(name, help, "counter", samples);
}

/** Leaves out histograms without observations: most operations are never called. */
export function histogram(name: string, help: string, samples: readonly HistogramSample[]): Family {
  const lines = header(name, help, "histogram");
  for (const [labels, { bounds, counts, sum }] of samples) {
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      return line(`${name}_bucket`, { ...labels, le: `${bounds[index] ?? "+Inf"}` }, total);
    });
    if (total === 0) continue;
    lines.push(...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total));
  }
  return lines;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const contentType = "text/plain; version=0.0.4; charset=utf-8";

export function expositionText(families: readonly Family[]): string {
  return families.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function simpleFamily(
  name: string,
  help: string,
  type: string,
  samples: readonly Sample[],
): Family {
  return [
    ...header(name, help, type),
    ...samples.map(([labels, value]) => line(name, labels, value)),
  ];
}

function header(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
