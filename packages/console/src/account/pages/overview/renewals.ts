import type { Server } from "@ironlease/client";
import { centsOf } from "#ui/money-text.ts";
import { renewalUsd } from "#account/shared/renewal-price.ts";

const dayMs = 86_400_000;
const termMs = { weekly: 7 * dayMs, monthly: 30 * dayMs } as const;

/** The forecast ends here: later prices and plans are unknown. */
const horizonMs = 400 * dayMs;
/** Bounds the work for any number of servers. */
const maxRenewals = 5_000;

type Renewing = Pick<
  Server,
  "id" | "state" | "term" | "priceUsd" | "ddosUsd" | "paidThrough" | "autoRenew"
>;

export interface Renewal<Of extends Renewing = Renewing> {
  readonly server: Of;
  readonly at: number;
}

export type Coverage<Of extends Renewing = Renewing> =
  /** No server renews automatically. */
  | { readonly kind: "nothing" }
  /** The first renewal that the balance does not cover. */
  | { readonly kind: "until"; readonly renewal: Renewal<Of> }
  | { readonly kind: "beyond"; readonly at: number };

/** Upcoming renewals, soonest first. Undelivered servers have no date yet. */
export function renewalsAhead<Of extends Renewing>(servers: readonly Of[]): readonly Renewal<Of>[] {
  return servers
    .flatMap((server) =>
      server.autoRenew &&
      server.paidThrough !== null &&
      (server.state === "ACTIVE" || server.state === "GRACE")
        ? [{ server, at: Date.parse(server.paidThrough) }]
        : [],
    )
    .toSorted((a, b) => a.at - b.at);
}

/** Charges each upcoming renewal to the balance in order, until one is not covered. */
export function coverage<Of extends Renewing>(
  balanceUsd: number,
  servers: readonly Of[],
  now: number,
): Coverage<Of> {
  const queue = [...renewalsAhead(servers)];
  if (queue.length === 0) return { kind: "nothing" };
  let cents = centsOf(balanceUsd);
  for (let count = 0; count < maxRenewals; count += 1) {
    const renewal = queue.shift();
    if (renewal === undefined || renewal.at > now + horizonMs) break;
    const { server, at } = renewal;
    cents -= centsOf(renewalUsd(server));
    if (cents < 0) return { kind: "until", renewal };
    const next = { server, at: at + termMs[server.term] };
    const place = queue.findIndex((other) => other.at > next.at);
    queue.splice(place === -1 ? queue.length : place, 0, next);
  }
  return { kind: "beyond", at: now + horizonMs };
}
