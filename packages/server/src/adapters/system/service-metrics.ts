import { usdFromCents } from "@ironlease/contract";
import type {
  ChainFigure,
  Figures,
  OfferFigure,
  ReverseDnsFigure,
  ScrapedFigures,
} from "#ports/metrics.ts";
import { counter, gauge, histogram, type Family, type Sample } from "./exposition.ts";
import { statusClasses, type Tallies } from "./tallies.ts";

/** The service's own metrics. `figures` is undefined if the database did not answer. */
export function serviceMetrics(
  tallies: Tallies,
  labels: Readonly<Record<string, string>>,
  figures: ScrapedFigures | undefined,
): readonly Family[] {
  return [
    gauge("ironlease_build_info", "The running build; always 1.", [[labels, 1]]),
    ...requestMetrics(tallies),
    ...passMetrics(tallies),
    ...watchMetrics(tallies),
    ...certificateMetrics(tallies),
    counter(
      "ironlease_database_errors_total",
      "Database errors, by kind.",
      Object.entries(tallies.troubles).map(([kind, count]) => [{ kind }, count]),
    ),
    gauge(
      "ironlease_database_up",
      "Whether the database answered this scrape and accepts writes.",
      [[{}, figures?.acceptsWrites === true ? 1 : 0]],
    ),
    ...(figures === undefined ? [] : databaseMetrics(figures)),
    ...(figures === undefined ? [] : [offersMetric(figures.offers)]),
    ...(figures === undefined ? [] : chainMetrics(figures.chains)),
    ...(figures?.reverseDns === undefined ? [] : reverseDnsMetrics(figures.reverseDns)),
    ...(figures?.liabilitiesAt === undefined ? [] : [liabilitiesMetric(figures.liabilitiesAt)]),
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

/** What this instance saw of the chains. A chain that another instance watches has its figures there. */
function watchMetrics({ chains }: Tallies): Family[] {
  if (chains.size === 0) return [];
  const all = [...chains];
  return [
    gauge(
      "ironlease_chain_height",
      "Height of the chain, as its node reports it.",
      all.flatMap(([network, { height }]): Sample[] =>
        height === undefined ? [] : [[{ network }, height]],
      ),
    ),
    counter(
      "ironlease_chain_credits_total",
      "Deposits credited, by chain.",
      all.map(([network, { credits }]) => [{ network }, credits]),
    ),
    counter(
      "ironlease_chain_failures_total",
      "Failures while watching a chain.",
      all.map(([network, { failures }]) => [{ network }, failures]),
    ),
  ];
}

/** Each offer is six series in Prometheus, so their number has a bound. */
const maxOffers = 500;

function offersMetric(offers: readonly OfferFigure[]): Family {
  return gauge(
    "ironlease_offer_machines",
    "Machines, by configuration, region and state. FREE can be ordered now, KEPT_OUT is free but kept out of " +
      `sale. The first ${maxOffers} pairs of configuration and region, by name.`,
    offers.slice(0, maxOffers).flatMap(({ configId, regionId, machines }) =>
      Object.entries(machines).map(([state, count]): Sample => {
        return [{ config: configId, region: regionId, state }, count];
      }),
    ),
  );
}

function certificateMetrics({ certificates }: Tallies): Family[] {
  if (certificates.size === 0) return [];
  const all = [...certificates];
  return [
    gauge(
      "ironlease_certificate_start_timestamp_seconds",
      "When the certificate that new connections get became valid.",
      all.map(([listener, { startsAt }]) => [{ listener }, startsAt / 1000]),
    ),
    gauge(
      "ironlease_certificate_expiry_timestamp_seconds",
      "When that certificate expires; 0 while the authority has issued none.",
      all.map(([listener, { expiresAt }]) => [{ listener }, expiresAt / 1000]),
    ),
  ];
}

function chainMetrics(chains: readonly ChainFigure[]): Family[] {
  if (chains.length === 0) return [];
  const unconfirmed = chains.flatMap((chain) =>
    chain.unconfirmed.map((figure) => ({ network: chain.network, ...figure })),
  );
  return [
    gauge(
      "ironlease_chain_scanned_height",
      "The last scanned block of the chain.",
      chains.flatMap(({ network, scannedHeight }): Sample[] =>
        scannedHeight === null ? [] : [[{ network }, scannedHeight]],
      ),
    ),
    gauge(
      "ironlease_chain_last_scan_timestamp_seconds",
      "When a scan last reached the tip of the chain; 0 before the first.",
      chains.map(({ network, scannedAt }) => [{ network }, (scannedAt ?? 0) / 1000]),
    ),
    gauge(
      "ironlease_unconfirmed_deposits",
      "Payments that were seen and are not credited, by chain and asset.",
      unconfirmed.map(({ network, asset, deposits }) => [{ network, asset }, deposits]),
    ),
    gauge(
      "ironlease_unconfirmed_coins",
      "The sum of payments that are not credited, in whole coins, by chain and asset.",
      unconfirmed.map(({ network, asset, coins }) => [{ network, asset }, coins]),
    ),
  ];
}

function reverseDnsMetrics({ pending, failed, oldestAgeMs }: ReverseDnsFigure): Family[] {
  return [
    gauge(
      "ironlease_reverse_dns_records",
      "Reverse DNS records that are not published, by state.",
      [
        [{ state: "pending" }, pending],
        [{ state: "failed" }, failed],
      ],
    ),
    gauge(
      "ironlease_reverse_dns_oldest_age_seconds",
      "Age of the oldest change of reverse DNS that is not published; 0 when there is none.",
      [[{}, oldestAgeMs / 1000]],
    ),
  ];
}

function liabilitiesMetric(signedAt: number): Family {
  return gauge(
    "ironlease_liabilities_timestamp_seconds",
    "When the balances of all customers were last signed.",
    [[{}, signedAt / 1000]],
  );
}

function databaseMetrics(figures: Figures): Family[] {
  const { at, work, servers, machines, availableCents, heldCents, fundsAt } = figures;
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
    gauge(
      "ironlease_customer_funds_timestamp_seconds",
      "When the funds of all customers were summed.",
      [[{}, fundsAt / 1000]],
    ),
  ];
}
