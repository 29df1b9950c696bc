import type { EventType } from "@ironlease/contract";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { TxScope } from "#kernel/call.ts";
import { currentTrace } from "#kernel/concurrency/trace.ts";
import { jsonRows, toJson } from "#kernel/sql/json-rows.ts";
import { preparedCommand } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";

/** Repeats facts that the account's reads show. Never holds a secret or the text of a message. */
export type EventData = Readonly<Record<string, string | number | null | readonly string[]>>;

export interface AccountEvent {
  readonly accountId: string;
  readonly type: EventType;
  readonly data: EventData;
}

/** An event with its id and time. */
type Row = Readonly<{ id: string; event: string; data: string; now: number }>;
export type AccountRow = Row & Readonly<{ accountId: string }>;
type Traced<R extends Row> = R & Readonly<{ trace: string | null }>;

const deliveryColumns = [
  "subscriber_id",
  "id",
  "account_id",
  "channel",
  "event",
  "data",
  "created_at",
  "due_at",
  "first_due_at",
  "attempts",
] as const;

/**
 * Whether a subscriber wants an event. The pattern is not a parameter of its own, because SQLite plans a statement with
 * such a pattern again on every run.
 */
function isWanted(event: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(events is null or events like '% ' || ${event} || ' %')`;
}

/** One delivery for each enabled subscriber of the event. Most accounts have none, and then nothing is written. */
function addDeliveries(
  db: Kysely<Schema>,
  { id, event, data, now, trace }: Traced<Row>,
  accountId?: string,
) {
  const subscribers = db.selectFrom("subscribers").where("disabled_at", "is", null);
  const told =
    accountId === undefined ? subscribers : subscribers.where("account_id", "=", accountId);

  return db
    .insertInto("deliveries")
    .columns([...deliveryColumns, "traceparent"])
    .expression(
      told
        .select([
          "subscribers.id",
          sql<string>`${id}`.as("delivery"),
          "account_id",
          "channel",
          sql<string>`${event}`.as("event"),
          sql<string>`${data}`.as("data"),
          sql<number>`${now}`.as("created"),
          sql<number>`${now}`.as("due"),
          sql<number>`${now}`.as("first"),
          sql<number>`0`.as("attempts"),
          sql<string | null>`${trace}`.as("trace"),
        ])
        .where(isWanted(sql`${event}`)),
    );
}

const tellAccount = preparedCommand(
  ["id", "event", "data", "now", "trace", "accountId"],
  (db, row: Traced<AccountRow>) => addDeliveries(db, row, row.accountId),
);

const tellEveryone = preparedCommand(
  ["id", "event", "data", "now", "trace"],
  (db, row: Traced<Row>) => addDeliveries(db, row),
);

const eventColumns = {
  accountId: "text",
  id: "text",
  event: "text",
  data: "text",
  now: "integer",
} as const;

const tellAccounts = preparedCommand(["events"], (db, { events }: { events: string }) =>
  db
    .insertInto("deliveries")
    .columns(deliveryColumns)
    .expression(
      db
        .selectFrom(jsonRows<AccountRow>(eventColumns, events).as("event_rows"))
        .innerJoin("subscribers", "subscribers.account_id", "event_rows.accountId")
        .select([
          "subscribers.id",
          "event_rows.id as delivery",
          "account_id",
          "channel",
          "event_rows.event",
          "data",
          "now as created",
          "now as due",
          "now as first",
          sql<number>`0`.as("attempts"),
        ])
        .where("disabled_at", "is", null)
        .where(isWanted(sql.ref("event_rows.event"))),
    ),
);

/**
 * Records an event in the transaction that causes it, so that neither exists without the other. It takes no lock and
 * reads no result, so it may stand anywhere in a use case.
 */
export function recordEvent(scope: TxScope, event: AccountEvent): Promise<void> {
  return tellAccount(scope.tx, traced(accountRow(scope, event)));
}

/** An event for `recordEvents`. */
export function accountRow(scope: TxScope, { accountId, type, data }: AccountEvent): AccountRow {
  return { ...rowOf(scope, type, data), accountId };
}

/** Records events of any accounts in one statement, for jobs: without a trace. */
export async function recordEvents(
  { tx }: Pick<TxScope, "tx">,
  events: readonly AccountRow[],
): Promise<void> {
  if (events.length > 0) await tellAccounts(tx, { events: toJson(eventColumns, events) });
}

/** Records an event that concerns several accounts, or all of them. */
export async function recordEventForMany(
  scope: TxScope,
  accounts: readonly string[] | "all",
  { type, data }: Omit<AccountEvent, "accountId">,
): Promise<void> {
  const row = traced(rowOf(scope, type, data));
  if (accounts === "all") return tellEveryone(scope.tx, row);
  for (const accountId of new Set(accounts)) await tellAccount(scope.tx, { ...row, accountId });
}

function traced<R extends Row>(row: R): Traced<R> {
  return { ...row, trace: currentTrace() ?? null };
}

function rowOf({ core }: TxScope, type: EventType, data: EventData): Row {
  return {
    id: core.ids.next("delivery"),
    event: type,
    data: JSON.stringify(data),
    now: core.clock.now(),
  };
}
