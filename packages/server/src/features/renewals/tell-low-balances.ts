import { usdFromCents } from "@ironlease/contract";
import { sql, type Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { ok } from "#kernel/result.ts";
import { lowBalanceAheadMs } from "#kernel/terms.ts";
import type { Schema } from "#ports/schema.ts";
import { beforeAll, type DuePosition } from "./due-server.ts";

const pageLength = 200;
const maxPages = 100_000;

/** Literal, so that the engines use the partial index `servers_by_renewal`. */
const renews = sql<boolean>`state in ('ACTIVE', 'GRACE', 'SUSPENDED') and auto_renew = 1`;

/**
 * Records one `balance.low` for each account whose balance does not cover the renewals of the next three days, and
 * forgets those that have recovered, so that the next shortage records another event.
 */
export async function tellLowBalances(core: Core, stop?: AbortSignal): Promise<void> {
  const until = core.clock.now() + lowBalanceAheadMs;
  await eachPage(core, stop, "", async (after) => {
    const told = await toldAccounts(core.db.read, after);
    for (const { accountId, isLow } of await standings(core.db.read, told, until)) {
      if (!isLow) await forget(core, accountId, until);
    }
    return told.length < pageLength ? undefined : told.at(-1);
  });
  await eachPage(core, stop, beforeAll, async (after) => {
    const due = await dueAhead(core.db.read, until, after);
    const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
    for (const { accountId, isLow, isTold } of await standings(core.db.read, accountIds, until)) {
      if (isLow && !isTold) await tell(core, accountId, until);
    }
    return due.length < pageLength ? undefined : due.at(-1);
  });
}

async function eachPage<Position>(
  core: Core,
  stop: AbortSignal | undefined,
  start: Position,
  page: (after: Position) => Promise<Position | undefined>,
): Promise<void> {
  let after: Position | undefined = start;
  for (let pages = 0; after !== undefined && pages < maxPages; pages += 1) {
    if (stop?.aborted === true) return;
    const pause = core.pacer?.();
    after = await page(after);
    await pause?.();
  }
}

async function toldAccounts(db: Kysely<Schema>, after: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("low_balances")
    .select("account_id")
    .where("account_id", ">", after)
    .orderBy("account_id")
    .limit(pageLength)
    .execute();
  return rows.map((row) => row.account_id);
}

function dueAhead(db: Kysely<Schema>, until: number, { paidThrough, id }: DuePosition) {
  return db
    .selectFrom("servers")
    .select(["id", "account_id as accountId", sql<number>`paid_through`.as("paidThrough")])
    .where(renews)
    .where("paid_through", "<=", until)
    .where(sql<boolean>`(paid_through, id) > (${paidThrough}, ${id})`)
    .orderBy("paid_through")
    .orderBy("id")
    .limit(pageLength)
    .execute();
}

interface Standing {
  readonly accountId: string;
  readonly balanceCents: number;
  readonly neededCents: number;
  readonly isLow: boolean;
  readonly isTold: boolean;
}

async function standings(
  db: Kysely<Schema>,
  accountIds: readonly string[],
  until: number,
): Promise<readonly Standing[]> {
  if (accountIds.length === 0) return [];
  const rows = await db
    .selectFrom("balances")
    .select([
      "account_id as accountId",
      "available_cents as balanceCents",
      sql<number>`(select cast(coalesce(sum(price_cents + ddos_cents), 0) as bigint) from servers
        where servers.account_id = balances.account_id and ${renews}
          and paid_through <= ${until})`.as("neededCents"),
      sql<number>`(select count(*) from low_balances
        where low_balances.account_id = balances.account_id)`.as("told"),
    ])
    .where("account_id", "in", accountIds)
    .execute();
  return rows.map(({ told, ...row }) => ({
    ...row,
    isLow: row.balanceCents < row.neededCents,
    isTold: told > 0,
  }));
}

/** Of two passes, the one that adds the row tells the account. */
async function tell(core: Core, accountId: string, until: number): Promise<void> {
  await core.db.write(async (tx) => {
    const [standing] = await standings(tx, [accountId], until);
    if (standing?.isLow !== true) return ok();
    const warned = await tx
      .insertInto("low_balances")
      .values({ account_id: accountId, since: core.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning("account_id")
      .executeTakeFirst();
    if (warned === undefined) return ok();
    const data = {
      balanceUsd: usdFromCents(standing.balanceCents),
      neededUsd: usdFromCents(standing.neededCents),
      until: isoTime(until),
    };
    await recordEvent({ tx, core }, { accountId, type: "balance.low", data });
    return ok();
  });
}

async function forget(core: Core, accountId: string, until: number): Promise<void> {
  await core.db.write(async (tx) => {
    const [standing] = await standings(tx, [accountId], until);
    if (standing?.isLow !== true) {
      await tx.deleteFrom("low_balances").where("account_id", "=", accountId).execute();
    }
    return ok();
  });
}
