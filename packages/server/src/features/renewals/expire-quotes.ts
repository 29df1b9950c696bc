import { usdText } from "@ironlease/contract";
import { sql } from "kysely";
import { audit } from "#kernel/audit.ts";
import { systemCall, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellOutcome } from "#kernel/outcomes.ts";
import { ok } from "#kernel/result.ts";
import { setRequestedDdosMode } from "#kernel/server-states.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { cancelDdosWork } from "#kernel/work-queue/cancelled-work.ts";
import { DatabaseUnavailable } from "#ports/db.ts";

/** A quote that the customer has not accepted in time. */
interface ExpiredQuote {
  readonly expiresAt: number;
  readonly serverId: string;
}

const pageLength = 100;

const expiredPage = prepared(
  ["now", "afterTime", "afterId"],
  (db, page: { readonly now: number; readonly afterTime: number; readonly afterId: string }) =>
    db
      .selectFrom("servers")
      .select(["id as serverId", "ddos_offer_expires_at as expiresAt"])
      .where("ddos_offer_expires_at", "is not", null)
      .where("ddos_offer_accepted_at", "is", null)
      .where("ddos_offer_expires_at", "<=", page.now)
      .where(sql<boolean>`(ddos_offer_expires_at, id) > (${page.afterTime}, ${page.afterId})`)
      .orderBy("ddos_offer_expires_at")
      .orderBy("id")
      .limit(pageLength)
      .$narrowType<ExpiredQuote>(),
);

interface Options {
  readonly asOf: number;
  readonly canContinue: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Withdraws every request whose quote has expired, and returns how many. One transaction each, because quotes are few
 * and a server is locked before anything else.
 */
export async function expireQuotes(
  core: Core,
  { asOf, canContinue, onFailure }: Options,
): Promise<number> {
  let expired = 0;
  let last: ExpiredQuote = { expiresAt: Number.MIN_SAFE_INTEGER, serverId: "" };
  for (;;) {
    const after = { afterTime: last.expiresAt, afterId: last.serverId };
    const page = await expiredPage(core.db.read, { now: asOf, ...after });
    for (const quote of page) {
      if (!canContinue()) return expired;
      last = quote;
      try {
        if (await expireQuote(core, quote.serverId, asOf)) expired += 1;
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        onFailure(new Error(`the quote for ${quote.serverId} did not expire`, { cause: error }));
      }
    }
    if (page.length < pageLength) return expired;
  }
}

/** How many quotes a pass at that time would withdraw. */
export async function countExpiredQuotes(core: Core, asOf: number): Promise<number> {
  const { count } = await core.db.read
    .selectFrom("servers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("ddos_offer_expires_at", "is not", null)
    .where("ddos_offer_accepted_at", "is", null)
    .where("ddos_offer_expires_at", "<=", asOf)
    .executeTakeFirstOrThrow();
  return count;
}

/** False when the customer has accepted or declined it, or an operator has changed it, in the meantime. */
async function expireQuote(core: Core, serverId: string, asOf: number): Promise<boolean> {
  const result = await core.db.write<{ readonly expired: string | null }>(async (tx) => {
    const server = await tx
      .selectFrom("servers")
      .select(["account_id as accountId", "ddos_offer_cents as cents"])
      .where("id", "=", serverId)
      .where("ddos_offer_expires_at", "<=", asOf)
      .where("ddos_offer_accepted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (server === undefined || server.cents === null) return ok({ expired: null });
    await expire({ tx, core, call: systemCall }, serverId, server.accountId, server.cents);
    return ok({ expired: serverId });
  });
  return result.ok && result.value.expired !== null;
}

async function expire(
  step: Step,
  serverId: string,
  accountId: string,
  cents: number,
): Promise<void> {
  const quote = `the quote of ${usdText(cents)} USD`;
  const note = `The customer did not accept ${quote} in time.`;
  await cancelDdosWork(step, { accountId, serverId }, { outcome: "EXPIRED", note });
  await setRequestedDdosMode(step.tx, { accountId, serverId }, null);
  await audit(step, "server.expire_ddos_quote", serverId, { accountId, quoteCents: cents });
  const report = `DDoS mode ADVANCED: ${quote} per term has expired, and the request is withdrawn. Request ADVANCED again for a new quote.`;
  await tellOutcome(step, { accountId, serverId, operatorId: null, report, note: null });
}
