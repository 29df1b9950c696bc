import type { Core } from "#kernel/core.ts";
import { sql } from "kysely";
import { prepared, preparedOne } from "#kernel/sql/prepared.ts";
import { lowBalanceAheadMs } from "#kernel/terms.ts";
import type { ServerState } from "#ports/schema.ts";
import { pastBalances, type PastBalance } from "./past-balances.ts";
import { dayMs, monthlyCents, projectRenewals, type RenewalDay } from "./project-renewals.ts";

/** A server with the time and the amount that matter about it. */
export interface ServerDue {
  readonly id: string;
  readonly label: string;
  readonly hostname: string | null;
  readonly configId: string;
  readonly region: string;
  readonly state: ServerState;
  readonly at: number;
  readonly cents: number;
}

export interface ServersDue {
  readonly count: number;
  readonly first: ServerDue | undefined;
}

export interface AccountSummary {
  readonly balanceCents: number;
  readonly heldCents: number;
  readonly monthlyCents: number;
  readonly serverStates: readonly { readonly state: ServerState; readonly count: number }[];
  readonly grace: ServersDue;
  readonly quotes: ServersDue;
  /** Undefined if the balance covers the renewals of the next days. */
  readonly lowBalance: { readonly until: number; readonly neededCents: number } | undefined;
  readonly upcoming: readonly ServerDue[];
  readonly renewals: readonly RenewalDay[];
  readonly uncovered: ServerDue | undefined;
  readonly balances: readonly PastBalance[];
}

const shownDays = 90;
const upcomingCount = 5;

/** Limits the memory of a request. No account rents this many. */
const maxServers = 10_000;

type OfAccount = Readonly<{ accountId: string }>;

const selectBalance = preparedOne(["accountId"], (db, { accountId }: OfAccount) =>
  db
    .selectFrom("balances")
    .select(["available_cents as availableCents", "held_cents as heldCents", "entries"])
    .where("account_id", "=", accountId),
);

const selectServers = prepared(["accountId"], (db, { accountId }: OfAccount) =>
  db
    .selectFrom("servers")
    .select(["id", "label", "hostname", "state", "term", "auto_renew as autoRenew"])
    .select(["config_id as configId", "region_id as region"])
    .select(sql<number>`price_cents + ddos_cents`.as("cents"))
    .select(["paid_through as paidThrough", "grace_until as graceUntil"])
    .select(["ddos_offer_cents as offerCents", "ddos_offer_expires_at as offerExpiresAt"])
    .select("ddos_offer_accepted_at as offerAcceptedAt")
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .limit(maxServers),
);

type Row = Awaited<ReturnType<typeof selectServers>>[number];

/** Sums over all servers and entries of the account, in three statements. */
export async function readAccountSummary(core: Core, accountId: string): Promise<AccountSummary> {
  const { db, clock } = core;
  const now = clock.now();
  const balance = await selectBalance(db.read, { accountId });
  const { availableCents: balanceCents = 0, heldCents = 0, entries = 0 } = balance ?? {};
  const servers = await selectServers(db.read, { accountId });
  const balances = await pastBalances(db, accountId, { entries, now, days: shownDays });
  const keeping = servers.filter(({ autoRenew }) => autoRenew === 1);
  const renewing = keeping.flatMap((server) =>
    server.paidThrough === null ? [] : [{ ...server, paidThrough: server.paidThrough }],
  );
  const { days, uncovered } = projectRenewals(renewing, balanceCents, now);
  const until = now + lowBalanceAheadMs;
  const neededCents = renewing.reduce(
    (sum, { paidThrough, cents }) => (paidThrough <= until ? sum + cents : sum),
    0,
  );
  const end = Math.floor(now / dayMs) * dayMs + shownDays * dayMs;
  return {
    balanceCents,
    heldCents,
    monthlyCents: monthlyCents(keeping),
    serverStates: countStates(servers),
    grace: serversDue(inGrace(servers)),
    quotes: serversDue(withQuote(servers, now)),
    lowBalance: neededCents > balanceCents ? { until, neededCents } : undefined,
    upcoming: renewing
      .toSorted((a, b) => a.paidThrough - b.paidThrough)
      .slice(0, upcomingCount)
      .map((server) => due(server, server.paidThrough)),
    renewals: days.filter(({ at }) => at < end),
    uncovered: uncovered && due(uncovered.server, uncovered.at),
    balances,
  };
}

function countStates(servers: readonly Row[]): AccountSummary["serverStates"] {
  const counts = new Map<ServerState, number>();
  for (const { state } of servers) counts.set(state, (counts.get(state) ?? 0) + 1);
  return Array.from(counts, ([state, count]) => ({ state, count }));
}

function inGrace(servers: readonly Row[]): readonly ServerDue[] {
  return servers.flatMap((server) =>
    server.state === "GRACE" && server.graceUntil !== null ? [due(server, server.graceUntil)] : [],
  );
}

/** Quotes that wait for the customer's answer. */
function withQuote(servers: readonly Row[], now: number): readonly ServerDue[] {
  return servers.flatMap((server) => {
    const { offerCents, offerExpiresAt, offerAcceptedAt } = server;
    if (offerCents === null || offerExpiresAt === null || offerAcceptedAt !== null) return [];
    return offerExpiresAt <= now ? [] : [due({ ...server, cents: offerCents }, offerExpiresAt)];
  });
}

function serversDue(servers: readonly ServerDue[]): ServersDue {
  return { count: servers.length, first: servers.toSorted((a, b) => a.at - b.at)[0] };
}

function due(server: Omit<ServerDue, "at">, at: number): ServerDue {
  const { id, label, hostname, configId, region, state, cents } = server;
  return { id, label, hostname, configId, region, state, at, cents };
}
