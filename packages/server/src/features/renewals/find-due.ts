import { sql, type Kysely } from "kysely";
import type { Tx } from "#ports/db.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";
import type { DuePlace, DueServer } from "./due-server.ts";

/**
 * How many due servers one transaction renews. On SQLite every request waits as long as that takes;
 * larger batches made them wait in proportion and the pass hardly faster.
 */
export const batchLength = 10;

const columns = [
  "servers.id",
  "servers.account_id as accountId",
  "hostname",
  "machine_id as machineId",
  "config_id as configId",
  "region_id as regionId",
  "state",
  "term",
  "price_cents as priceCents",
  "auto_renew as autoRenew",
  sql<number>`paid_through`.as("paidThrough"),
  sql<number>`grace_until`.as("graceUntil"),
] as const;

const ownersCents = sql<number>`select available_cents from balances
  where balances.account_id = servers.account_id`;

/** Literal, so that the engines see that the partial index `servers_by_renewal` serves it. */
const isDelivered = sql<boolean>`servers.state in ('ACTIVE', 'GRACE', 'SUSPENDED')`;

/**
 * That a pass would change something: those in grace without the money for a renewal are neither
 * locked nor written again and again.
 */
function hasNews(now: number) {
  return sql<boolean>`(servers.state = 'ACTIVE' or servers.grace_until <= ${now}
    or (servers.auto_renew = 1 and servers.price_cents <= (${ownersCents})))`;
}

interface Page extends Record<string, string | number> {
  readonly now: number;
  readonly afterTime: number;
  readonly afterId: string;
}

/** A due server as it was read, and what its owner had to spend then. */
export interface FoundServer extends DueServer {
  readonly ownersCents: number;
}

const duePage = prepared(["now", "afterTime", "afterId"], (db, page: Page) =>
  db
    .selectFrom("servers")
    .select([...columns, sql<number>`(${ownersCents})`.as("ownersCents")])
    .where(isDelivered)
    .where("paid_through", "<=", page.now)
    .where(sql<boolean>`(paid_through, id) > (${page.afterTime}, ${page.afterId})`)
    .where(hasNews(page.now))
    .orderBy("paid_through")
    .orderBy("id")
    .limit(batchLength),
);

/** The next due servers after that place to which a pass has something to do, at most a batch. */
export function readDue(
  db: Kysely<Schema>,
  now: number,
  after: DuePlace,
): Promise<readonly FoundServer[]> {
  return duePage(db, { now, afterTime: after.paidThrough, afterId: after.id });
}

const accountNames = Array.from({ length: batchLength }, (_, index) => `account${index}`);

/** Always as many as a batch may have, the last one repeated, so that the statement is always the same. */
function accountValues(accountIds: readonly string[]): Record<string, string> {
  const last = accountIds.at(-1) ?? "";
  return Object.fromEntries(
    accountNames.map((name, index) => [name, accountIds[index] ?? last] as const),
  );
}

const accountsOf = (values: Readonly<Record<string, string | number>>) =>
  accountNames.map((name) => values[name] as string);

const selectAccounts = (db: Kysely<Schema>, values: Record<string, string>) =>
  db
    .selectFrom("accounts")
    .select("id")
    .where("id", "in", accountsOf(values))
    .orderBy("id")
    .forNoKeyUpdate();

const waitForAccounts = prepared(accountNames, selectAccounts);
const takeFreeAccounts = prepared(accountNames, (db, values: Record<string, string>) =>
  selectAccounts(db, values).skipLocked(),
);

/**
 * Holds the accounts until the transaction ends, so that one pass at a time takes what is due of an
 * account, the earliest first. Without patience those that somebody else holds are left out. They are
 * locked before any server, and in one order, so that two passes never wait for each other in a ring.
 */
export async function lockAccounts(
  tx: Tx,
  accountIds: readonly string[],
  isPatient: boolean,
): Promise<readonly string[]> {
  const lock = isPatient ? waitForAccounts : takeFreeAccounts;
  return (await lock(tx, accountValues(accountIds))).map(({ id }) => id);
}

interface Range extends Record<string, string | number> {
  readonly now: number;
  readonly lastTime: number;
  readonly lastId: string;
}

const lockRange = prepared([...accountNames, "now", "lastTime", "lastId"], (db, range: Range) =>
  db
    .selectFrom("servers")
    .select(columns)
    .where("account_id", "in", accountsOf(range))
    .where(isDelivered)
    .where("paid_through", "<=", range.lastTime)
    .where(sql<boolean>`(paid_through < ${range.lastTime} or id <= ${range.lastId})`)
    .where(hasNews(range.now))
    .orderBy("paid_through")
    .orderBy("id")
    .limit(batchLength)
    .forUpdate(),
);

/**
 * Holds the earliest due servers of the accounts, up to a place, whoever left them over: a server
 * that another pass has just extended, or could not get at, comes before a later one of its account.
 */
export function lockDue(
  tx: Tx,
  accountIds: readonly string[],
  now: number,
  last: DuePlace,
): Promise<readonly DueServer[]> {
  const range = { now, lastTime: last.paidThrough, lastId: last.id };
  return lockRange(tx, { ...accountValues(accountIds), ...range });
}
