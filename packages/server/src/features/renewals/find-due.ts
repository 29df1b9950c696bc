import { sql, type Kysely } from "kysely";
import type { Tx } from "#ports/db.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";
import type { DuePosition, DueServer } from "./due-server.ts";

/**
 * The maximum number of steps per transaction. On SQLite every request waits for the transaction, which takes some ten
 * milliseconds. Twice as many steps save another fifth of the processor time.
 */
export const batchLength = 50;

const columns = [
  "servers.id",
  "servers.account_id as accountId",
  "hostname",
  "machine_id as machineId",
  "config_id as configId",
  "region_id as regionId",
  "state",
  "term",
  sql<number>`price_cents + ddos_cents`.as("renewalCents"),
  "auto_renew as autoRenew",
  sql<number>`paid_through`.as("paidThrough"),
  sql<number>`grace_until`.as("graceUntil"),
] as const;

const ownersCents = sql<number>`select available_cents from balances
  where balances.account_id = servers.account_id`;

/** Literal, so that the engines use the partial index `servers_by_renewal`. */
const isDelivered = sql<boolean>`servers.state in ('ACTIVE', 'GRACE', 'SUSPENDED')`;

/**
 * Whether a pass would change the server. Servers in grace whose owner cannot pay are skipped, so that passes do not
 * lock and write them again and again.
 */
function needsStep(now: number) {
  return sql<boolean>`(servers.state = 'ACTIVE' or servers.grace_until <= ${now}
    or (servers.auto_renew = 1 and servers.price_cents + servers.ddos_cents <= (${ownersCents})))`;
}

interface Page extends Record<string, string | number> {
  readonly now: number;
  readonly afterTime: number;
  readonly afterId: string;
}

/** A due server as read, with its owner's spendable balance at that moment. */
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
    .where(needsStep(page.now))
    .orderBy("paid_through")
    .orderBy("id")
    .limit(batchLength),
);

/** The next batch of due servers after that position that a pass would change. */
export function readDue(
  db: Kysely<Schema>,
  now: number,
  after: DuePosition,
): Promise<readonly FoundServer[]> {
  return duePage(db, { now, afterTime: after.paidThrough, afterId: after.id });
}

const accountNames = Array.from({ length: batchLength }, (_, index) => `account${index}`);

/** Always a full batch of parameters, padded with the last account, so that the statement text never changes. */
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
 * Locks the accounts, so that one pass at a time renews an account's servers, earliest first. Unless it waits for
 * locks, it skips accounts that another transaction holds. Accounts are locked before any server and in a fixed order,
 * so that passes do not deadlock.
 */
export async function lockAccounts(
  tx: Tx,
  accountIds: readonly string[],
  waitsForLocks: boolean,
): Promise<readonly string[]> {
  const lock = waitsForLocks ? waitForAccounts : takeFreeAccounts;
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
    .where(needsStep(range.now))
    .orderBy("paid_through")
    .orderBy("id")
    .limit(batchLength)
    .forUpdate(),
);

/**
 * Locks the earliest due servers of the accounts up to a position. These include servers that another pass has just
 * extended or had to skip, because an account's servers are renewed in order.
 */
export function lockDue(
  tx: Tx,
  accountIds: readonly string[],
  now: number,
  last: DuePosition,
): Promise<readonly DueServer[]> {
  const range = { now, lastTime: last.paidThrough, lastId: last.id };
  return lockRange(tx, { ...accountValues(accountIds), ...range });
}
