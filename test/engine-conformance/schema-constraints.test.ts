import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql, type InsertObject } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import { ConstraintViolation, type Tx } from "#server/ports/db.ts";
import { ok, refuse } from "#server/kernel/result.ts";
import type { Schema } from "#server/ports/schema.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { violations, type Violation, type Row } from "./schema-constraints.ts";

/** Valid values of columns that do not accept any text or number. */
const validValues: Readonly<Record<string, Row>> = {
  api_keys: { scope: "read" },
  catalogues: { id: 1 },
  controllers: { driver: "ipmi" },
  hardware_runs: { state: "QUEUED", lease_until: 1 },
  ddos_requests: { mode: "ADVANCED" },
  deposits: { state: "CONFIRMING" },
  journal: { type: "DEPOSIT" },
  liability_chunks: { date: "liability_trees.date 1" },
  passkeys: { operator_id: null, backed_up: 0 },
  machine_macs: { machine_id: "machines.id 1" },
  machines: { state: "FREE" },
  mails: { kind: "MESSAGES", state: "WAITING" },
  messages: { sender: "OPERATOR", operator_id: "operators.id 1" },
  notices: { kind: "INCIDENT", starts_at: 0, ends_at: 1_000, is_for_all: 1 },
  notice_targets: { kind: "REGION" },
  operators: { role: "support" },
  orders: { term: "weekly" },
  payouts: { state: "PREPARED" },
  published_ptrs: { state: "PENDING", error: null, zone: "reverse_zones.zone 1" },
  rates: { kind: "SET", valid_until: 1_000 },
  reverse_dns_state: { id: 1 },
  reverse_zones: { state: "UNKNOWN", may_create: 1, error: null },
  servers: { state: "ACTIVE", term: "weekly", auto_renew: 1, ddos_mode: "BASELINE", ddos_cents: 0 },
  subnets: { family: 4 },
  subscribers: { channel: "WEBHOOK" },
  threads: { opened_by: "CUSTOMER", state: "OPEN" },
  withdrawals: { status: "PENDING_REVIEW" },
  work: { kind: "PROVISION", state: "OPEN", withdrawal_id: null },
};

/** Foreign key columns, which refer to the first row of the other table. */
const references: Row = {
  account_id: "accounts.id 1",
  address_id: "deposit_addresses.id 1",
  key_id: "statement_keys.key_id 1",
  keychain_id: "keychains.id 1",
  message_id: "messages.id 1",
  notice_id: "notices.id 1",
  operator_id: "operators.id 1",
  published_by: "operators.id 1",
  order_id: "orders.id 1",
  prepared_by: "operators.id 1",
  payout_id: "payouts.id 1",
  withdrawal_id: "withdrawals.id 1",
  work_id: "work.id 1",
  server_id: "servers.id 1",
  run_id: "hardware_runs.id 1",
  set_by: "operators.id 1",
  subnet_id: "subnets.id 1",
  subscriber_id: "subscribers.id 1",
  thread_id: "threads.id 1",
};

/** Tables that others refer to, in the order of their references. */
const referencedTables = ["accounts", "operators", "machines", "subnets", "orders", "servers"];
referencedTables.push("payouts", "withdrawals", "work", "keychains", "deposit_addresses", "rates");
referencedTables.push(
  "threads",
  "messages",
  "notices",
  "subscribers",
  "reverse_zones",
  "hardware_runs",
  "statement_keys",
  "liability_trees",
);

/** The number of the machine of a server, or of the account of a balance, which no other row uses. */
const partnerOf = (number: number) => number + 100;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: number;
}

const columnsIn = {
  sqlite: sql<Column>`
    select t.name as "table", c.name, lower(c.type) as type, c."notnull" or c.pk > 0 as required
      from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'`,
  postgres: sql<Column>`
    select table_name as "table", column_name as name, data_type as type,
        case is_nullable when 'NO' then 1 else 0 end as required
      from information_schema.columns where table_schema = 'public'`,
};

test("every named constraint and unique index of the migrations has a violation in the list", () => {
  const texts = migrations.flatMap((step) => [
    ...step.statements({ engine: "sqlite", integer: "integer", strict: " strict" }),
    ...step.statements({ engine: "postgres", integer: "bigint", strict: "" }),
  ]);
  const named = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/(?<!drop )constraint (\w+)|unique index (\w+)/g),
      (m) => m[1] ?? m[2],
    ),
  );
  const dropped = texts.flatMap((text) => /^drop table (\w+)$/.exec(text)?.[1] ?? []);
  const gone = dropped.filter(
    (table) => !violations.some((violation) => violation.table === table),
  );
  const kept = named.filter((name) => !gone.some((table) => name?.startsWith(`${table}_`)));
  const tried = violations.map(({ constraint }) => constraint);
  assert.deepEqual(new Set(kept), new Set(tried));
});

forEachEngine((engine) => {
  let opened: OpenedEngine;
  let columns: readonly Column[];

  before(async () => {
    opened = await openEngine(engine);
    columns = (await columnsIn[engine].execute(opened.db.read)).rows;
    await opened.db.write(async (tx) => {
      for (const number of [1, 11, 12].map(partnerOf)) {
        await insert(tx, "accounts", rowOf("accounts", number));
        await insert(tx, "machines", rowOf("machines", number));
      }
      for (const table of referencedTables) await insert(tx, table, rowOf(table, 1));
      return ok();
    });
  });
  after(() => opened.dispose());

  /** A valid row. Rows with different numbers differ in every column that may differ. */
  function rowOf(table: string, number: number): Row {
    const any = columns
      .filter((column) => column.table === table)
      .map(({ name, type, required }) => {
        const value = type === "text" ? `${table}.${name} ${number}` : number;
        return [name, references[name] ?? (required === 1 ? value : null)] as const;
      });
    const row = { ...Object.fromEntries(any), ...validValues[table] };
    if (["servers", "controllers", "hardware_runs"].includes(table))
      return { ...row, machine_id: `machines.id ${partnerOf(number)}` };
    return table === "balances" ? { ...row, account_id: `accounts.id ${partnerOf(number)}` } : row;
  }

  async function insert(tx: Tx, table: string, row: Row): Promise<void> {
    const values = row as unknown as InsertObject<Schema, keyof Schema>;
    await tx
      .insertInto(table as keyof Schema)
      .values(values)
      .execute();
  }

  /** Inserts a violating row, after a valid one if the rule concerns two rows, and rolls back. */
  function tryTwo({ table, same = [], second, both }: Violation, change: Row = {}) {
    const first = { ...rowOf(table, 11), ...both };
    const likeFirst = Object.fromEntries(same.map((column) => [column, first[column] ?? null]));
    return opened.db.write(async (tx) => {
      if (second === undefined) await insert(tx, table, first);
      await insert(tx, table, { ...rowOf(table, 12), ...both, ...likeFirst, ...second, ...change });
      return refuse("conflict");
    });
  }

  for (const violation of violations) {
    const { constraint, onSqlite = constraint, unless } = violation;
    test(`the database enforces ${constraint}`, async () => {
      await assert.rejects(tryTwo(violation), (error) => {
        assert.ok(error instanceof ConstraintViolation, String(error));
        assert.equal(error.constraint, engine === "sqlite" ? onSqlite : constraint);
        return true;
      });
      if (unless !== undefined)
        assert.deepEqual(await tryTwo(violation, unless), refuse("conflict"));
    });
  }
});
