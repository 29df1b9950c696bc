import { termMs } from "#kernel/terms.ts";
import type { Term } from "#ports/schema.ts";

export const dayMs = 86_400_000;

/** The forecast ends here, because later prices and plans are unknown. */
const horizonDays = 400;

/** A server that renews automatically. */
export interface RenewingServer {
  readonly id: string;
  readonly term: Term;
  /** The machine and DDoS protection together. */
  readonly cents: number;
  readonly paidThrough: number;
}

export interface Renewal<Of extends RenewingServer> {
  readonly server: Of;
  readonly at: number;
}

export interface RenewalDay {
  /** Midnight in UTC. Overdue renewals count as today's. */
  readonly at: number;
  readonly count: number;
  readonly cents: number;
}

export interface Projection<Of extends RenewingServer> {
  /** The days of the next 400 with a renewal, soonest first. */
  readonly days: readonly RenewalDay[];
  /** The first renewal that the balance does not cover, if nothing else is charged or deposited. */
  readonly uncovered: Renewal<Of> | undefined;
}

/** Renews each server at the end of each of its terms. Adds by day, so that many servers need no sorting. */
export function projectRenewals<Of extends RenewingServer>(
  servers: readonly Of[],
  balanceCents: number,
  now: number,
): Projection<Of> {
  const today = Math.floor(now / dayMs);
  const end = (today + horizonDays) * dayMs;
  const dayOf = (at: number) => Math.max(today, Math.floor(at / dayMs));
  const sums = new Map<number, { count: number; cents: number }>();
  for (const server of servers) {
    for (const at of renewalTimes(server, end)) {
      const sum = sums.get(dayOf(at)) ?? { count: 0, cents: 0 };
      sums.set(dayOf(at), { count: sum.count + 1, cents: sum.cents + server.cents });
    }
  }
  const days = Array.from(sums, ([day, sum]) => ({ at: day * dayMs, ...sum })).toSorted(
    (a, b) => a.at - b.at,
  );
  let left = balanceCents;
  for (const { at: day, cents } of days) {
    if (cents > left) {
      const renewals = servers.flatMap((server) =>
        Array.from(renewalTimes(server, day + dayMs), (at) => ({ server, at })).filter(
          ({ at }) => dayOf(at) * dayMs === day,
        ),
      );
      return { days, uncovered: firstUncovered(renewals, left) };
    }
    left -= cents;
  }
  return { days, uncovered: undefined };
}

function* renewalTimes({ term, paidThrough }: RenewingServer, end: number): Generator<number> {
  for (let at = paidThrough; at < end; at += termMs[term]) yield at;
}

/** In the order in which the renewals pass charges. */
function firstUncovered<Of extends RenewingServer>(
  renewals: readonly Renewal<Of>[],
  balanceCents: number,
): Renewal<Of> | undefined {
  let left = balanceCents;
  return renewals
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
    .find(({ server }) => (left -= server.cents) < 0);
}

function isBefore(a: Renewal<RenewingServer>, b: Renewal<RenewingServer>): boolean {
  return a.at < b.at || (a.at === b.at && a.server.id < b.server.id);
}

/** What 30 days cost, rounded half up to a cent. */
export function monthlyCents(servers: readonly Pick<RenewingServer, "term" | "cents">[]): number {
  const sum = (term: Term) =>
    servers.reduce((cents, server) => cents + (server.term === term ? server.cents : 0), 0);
  const weeks = termMs.monthly / termMs.weekly;
  return sum("monthly") + Math.floor(sum("weekly") * weeks + 0.5);
}
