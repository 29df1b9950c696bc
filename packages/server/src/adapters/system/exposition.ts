import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { usdFromCents } from "@ironlease/contract";
import type { Figures } from "#ports/metrics.ts";
import { latencyText } from "./latency-text.ts";
import { statusClasses, type Tallies } from "./tallies.ts";

type Row = readonly [labels: Readonly<Record<string, string>>, value: number];

let processMetrics: Registry | undefined;

/** Everything that is known, as text. The figures of the database are left out when there are none. */
export async function expose(
  tallies: Tallies,
  labels: Readonly<Record<string, string>>,
  figures: Figures | undefined,
): Promise<string> {
  // One for the process, however many services tests start in it: it listens to the collector.
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: 50 });
  }
  const registry = new Registry();
  const gauge = (name: string, help: string, rows: readonly Row[]) => {
    const metric = new Gauge({ name, help, labelNames: namesIn(rows), registers: [registry] });
    for (const [row, value] of rows) metric.set(row, value);
  };
  const counter = (name: string, help: string, rows: readonly Row[]) => {
    const metric = new Counter({ name, help, labelNames: namesIn(rows), registers: [registry] });
    for (const [row, value] of rows) metric.inc(row, value);
  };
  gauge("ironlease_build_info", "Which build runs; always 1.", [[labels, 1]]);
  addRequests(tallies, gauge, counter);
  addPasses(tallies, gauge, counter);
  counter(
    "ironlease_database_errors_total",
    "Trouble with the database, by kind.",
    Array.from(tallies.troubles, ([kind, count]) => [{ kind }, count]),
  );
  const isUp = figures === undefined ? 0 : 1;
  gauge("ironlease_database_up", "Whether the database gave its figures.", [[{}, isUp]]);
  if (figures !== undefined) addFigures(figures, gauge);
  const latencies = latencyText(tallies.operations);
  return [await registry.metrics(), latencies, await processMetrics.metrics()].join("\n");
}

type Add = (name: string, help: string, rows: readonly Row[]) => void;

function namesIn(rows: readonly Row[]): string[] {
  return Object.keys(rows[0]?.[0] ?? {});
}

function addRequests({ operations, underWay }: Tallies, gauge: Add, counter: Add): void {
  counter(
    "ironlease_http_requests_total",
    "Answers, by listener, operation and class of status.",
    operations.flatMap(({ listener, operation, byStatusClass }) =>
      statusClasses.map((status, index): Row => {
        return [{ listener, operation, status }, byStatusClass[index] ?? 0];
      }),
    ),
  );
  gauge(
    "ironlease_http_requests_in_flight",
    "Requests under way.",
    Array.from(underWay, ([listener, { count }]) => [{ listener }, count]),
  );
}

function addPasses({ passes }: Tallies, gauge: Add, counter: Add): void {
  const all = Object.entries(passes);
  counter(
    "ironlease_pass_runs_total",
    "Background passes that came to their end.",
    all.map(([pass, { runs }]) => [{ pass }, runs]),
  );
  counter(
    "ironlease_pass_failures_total",
    "What went wrong in background passes.",
    all.map(([pass, { failures }]) => [{ pass }, failures]),
  );
  gauge(
    "ironlease_pass_last_success_timestamp_seconds",
    "When the last pass without trouble ended; 0 before the first.",
    all.map(([pass, { lastSuccessAt }]) => [{ pass }, lastSuccessAt / 1000]),
  );
  const done = all.flatMap(([pass, tally]) =>
    Array.from(tally.done, ([what, count]): Row => [{ pass, what }, count]),
  );
  if (done.length > 0) counter("ironlease_pass_done_total", "What background passes did.", done);
}

function addFigures(figures: Figures, gauge: Add): void {
  const { at, work, servers, machines, availableCents, heldCents } = figures;
  gauge(
    "ironlease_work_items",
    "Work that is not done, by kind: open (waiting) or claimed.",
    work.flatMap(({ kind, open, claimed }): Row[] => [
      [{ kind, state: "open" }, open],
      [{ kind, state: "claimed" }, claimed],
    ]),
  );
  gauge(
    "ironlease_work_oldest_age_seconds",
    "How long the oldest work of a kind has waited; 0 when there is none.",
    work.map(({ kind, oldestAt }) => [{ kind }, oldestAt === null ? 0 : (at - oldestAt) / 1000]),
  );
  gauge(
    "ironlease_servers",
    "Servers, by state.",
    servers.map(({ state, count }) => [{ state }, count]),
  );
  gauge(
    "ironlease_machines",
    "Machines, by state.",
    machines.map(({ state, count }) => [{ state }, count]),
  );
  gauge("ironlease_customer_funds_usd", "What all customers have: spendable and held.", [
    [{ part: "spendable" }, usdFromCents(availableCents)],
    [{ part: "held" }, usdFromCents(heldCents)],
  ]);
}
