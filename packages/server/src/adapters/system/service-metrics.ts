import { usdFromCents } from "@ironlease/contract";
import type { Figures } from "#ports/metrics.ts";
import { counter, gauge, histogram, type Family, type Sample } from "./exposition.ts";
import { statusClasses, type Tallies } from "./tallies.ts";

/** The service's own metrics. `figures` is undefined if the database did not answer. */
export function serviceMetrics(
  tallies: Tallies,
  labels: Readonly<Record<string, string>>,
  figures: Figures | undefined,
): readonly Family[] {
  return [
    gauge("ironlease_build_info", "The running build; always 1.", [[labels, 1]]),
    ...requestMetrics(tallies),
    ...passMetrics(tallies),
    counter(
      "ironlease_database_errors_total",
      "Database errors, by kind.",
      Object.entries(tallies.troubles).map(([kind, count]) => [{ kind }, count]),
    ),
    gauge("ironlease_database_up", "Whether the database answered this scrape.", [
      [{}, figures === undefined ? 0 : 1],
    ]),
    ...(figures === undefined ? [] : databaseMetrics(figures)),
  ];
}

function requestMetrics({ operations, inFlight }: Tallies): Family[] {
  return [
    counter(
      "ironlease_http_requests_total",
      "HTTP responses, by listener, operation and status class.",
      operations.flatMap(({ listener, operation, byStatusClass }) =>
        statusClasses.map((status, index): Sample => {
          return [{ listener, operation, status }, byStatusClass[index] ?? 0];
        }),
      ),
    ),
    gauge(
      "ironlease_http_requests_in_flight",
      "HTTP requests in flight, by listener.",
      Array.from(inFlight, ([listener, { count }]) => [{ listener }, count]),
    ),
    histogram(
      "ironlease_http_request_duration_seconds",
      "Time from the request's headers to its response, by listener and operation.",
      operations.map(({ listener, operation, latency }) => [{ listener, operation }, latency]),
    ),
  ];
}

function passMetrics({ passes }: Tallies): Family[] {
  const all = Object.entries(passes);
  const done = all.flatMap(([pass, tally]) =>
    Array.from(tally.done, ([what, count]): Sample => [{ pass, what }, count]),
  );
  return [
    counter(
      "ironlease_pass_runs_total",
      "Finished runs of background jobs.",
      all.map(([pass, { runs }]) => [{ pass }, runs]),
    ),
    counter(
      "ironlease_pass_failures_total",
      "Failures in background jobs.",
      all.map(([pass, { failures }]) => [{ pass }, failures]),
    ),
    gauge(
      "ironlease_pass_last_success_timestamp_seconds",
      "When a run of the background job last finished without a failure; 0 before the first.",
      all.map(([pass, { lastSuccessAt }]) => [{ pass }, lastSuccessAt / 1000]),
    ),
    ...(done.length === 0
      ? []
      : [counter("ironlease_pass_done_total", "What background jobs did.", done)]),
  ];
}

function databaseMetrics(figures: Figures): Family[] {
  const { at, work, servers, machines, availableCents, heldCents } = figures;
  return [
    gauge(
      "ironlease_work_items",
      "Unfinished work items, by kind and state: open (waiting) or claimed.",
      work.flatMap(({ kind, open, claimed }): Sample[] => [
        [{ kind, state: "open" }, open],
        [{ kind, state: "claimed" }, claimed],
      ]),
    ),
    gauge(
      "ironlease_work_oldest_age_seconds",
      "Age of the oldest unfinished work item of a kind; 0 when there is none.",
      work.map(({ kind, oldestAt }) => [{ kind }, oldestAt === null ? 0 : (at - oldestAt) / 1000]),
    ),
    gauge(
      "ironlease_servers",
      "Servers, by state.",
      servers.map(({ state, count }) => [{ state }, count]),
    ),
    gauge(
      "ironlease_machines",
      "Machines, by state.",
      machines.map(({ state, count }) => [{ state }, count]),
    ),
    gauge("ironlease_customer_funds_usd", "Funds of all customers: spendable and held.", [
      [{ part: "spendable" }, usdFromCents(availableCents)],
      [{ part: "held" }, usdFromCents(heldCents)],
    ]),
  ];
}
