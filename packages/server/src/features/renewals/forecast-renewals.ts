import type { Core } from "#kernel/core.ts";
import { beforeAll, DueQueue, isBefore, type DueServer } from "./due-server.ts";
import { countExpiredQuotes } from "./expire-quotes.ts";
import { readDue } from "./find-due.ts";
import { noRenewals, withStep, type RenewalCounts } from "./renewal-counts.ts";
import { afterStep, renewal, withoutPayment, type RenewalStep } from "./renewal-step.ts";

/**
 * The steps of a pass at that time, in order, if nothing else happens before it. Covers several periods of one server
 * and balances that run out during the pass. Writes nothing.
 */
export async function forecastRenewals(
  core: Core,
  asOf: number,
  onStep: (step: RenewalStep) => void,
): Promise<RenewalCounts> {
  const balances = new Map<string, number>();
  const dueAgain = new DueQueue();
  let counts = noRenewals;

  const forecast = (server: DueServer): void => {
    const step = stepOf(server, asOf, core.rules.graceMs, balances);
    if (step === undefined) return;
    counts = withStep(counts, step);
    onStep(step);
    const later = step.kind === "renew" ? afterStep(server, step) : undefined;
    if (later !== undefined && later.paidThrough <= asOf) dueAgain.put(later);
  };
  const forecastDueAgainBefore = (position: DueServer | undefined): void => {
    for (let next = dueAgain.next(); next !== undefined; next = dueAgain.next()) {
      if (position !== undefined && !isBefore(next, position)) return;
      dueAgain.take();
      forecast(next);
    }
  };

  let position = beforeAll;
  for (;;) {
    const page = await readDue(core.db.read, asOf, position);
    for (const server of page) {
      if (!balances.has(server.accountId)) balances.set(server.accountId, server.ownersCents);
      forecastDueAgainBefore(server);
      forecast(server);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    position = last;
  }
  forecastDueAgainBefore(undefined);
  // As in a pass, servers that end in it have no quote. The forecast counts those too, because it ends none.
  return { ...counts, expiredQuotes: await countExpiredQuotes(core, asOf) };
}

/** Decides like a real pass, on simulated balances. */
function stepOf(
  server: DueServer,
  now: number,
  graceMs: number,
  balances: Map<string, number>,
): RenewalStep | undefined {
  const cents = balances.get(server.accountId) ?? 0;
  if (server.autoRenew !== 1 || cents < server.renewalCents) return withoutPayment(server, now);
  balances.set(server.accountId, cents - server.renewalCents);
  return renewal(server, now, graceMs);
}
