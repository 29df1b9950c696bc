/** Observations counted by upper bound, as a Prometheus histogram reports them. */
export interface Histogram {
  readonly bounds: readonly number[];
  /** One count per bound, and a last one for observations above every bound. */
  readonly counts: number[];
  sum: number;
}

export function newHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram;
  let index = 0;
  while (value > (bounds[index] ?? Infinity)) index += 1;
  counts[index] = (counts[index] ?? 0) + 1;
  histogram.sum += value;
}
