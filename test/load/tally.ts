import type { RequestKind } from "./request-kinds.ts";

export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Results of the requests of one part of a run: latencies by kind, and unexpected outcomes. */
export class Tally {
  readonly #latencies = new Map<RequestKind, number[]>();
  /** Number of unexpected outcomes by request kind and error code. */
  readonly unexpected = new Map<string, number>();

  addExpected(kind: RequestKind, ms: number): void {
    const latencies = this.#latencies.get(kind);
    if (latencies === undefined) this.#latencies.set(kind, [ms]);
    else latencies.push(ms);
  }

  addUnexpected(kind: RequestKind, outcome: string): void {
    const name = `${kind}: ${outcome}`;
    this.unexpected.set(name, (this.unexpected.get(name) ?? 0) + 1);
  }

  get answered(): number {
    return [...this.#latencies.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Percentiles of one kind, or of all requests. */
  percentiles(kind?: RequestKind): Percentiles {
    const all =
      kind === undefined ? [...this.#latencies.values()].flat() : (this.#latencies.get(kind) ?? []);
    return percentilesOf(all);
  }

  get kinds(): readonly RequestKind[] {
    return [...this.#latencies.keys()].toSorted();
  }

  add(other: Tally): void {
    for (const [kind, latencies] of other.#latencies) {
      this.#latencies.set(kind, [...(this.#latencies.get(kind) ?? []), ...latencies]);
    }
    for (const [name, count] of other.unexpected) {
      this.unexpected.set(name, (this.unexpected.get(name) ?? 0) + count);
    }
  }
}

function percentilesOf(latencies: readonly number[]): Percentiles {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return {
    count: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    max: sorted.at(-1) ?? 0,
  };
}

export function formatPercentiles({ count, p50, p99, p999, max }: Percentiles): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const ratio = p50 === 0 ? "" : ` (p99 ${(p99 / p50).toFixed(1)} × p50)`;
  return `${count} answers, p50 ${ms(p50)}, p99 ${ms(p99)}, p999 ${ms(p999)}, max ${ms(max)}${ratio}`;
}
