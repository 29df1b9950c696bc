import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql, type InsertObject } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import { ConstraintViolation, type Tx } from "#server/ports/db.ts";
import { ok, refuse } from "#server/kernel/result.ts";
import type { Schema } from "#server/ports/schema.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { breaches, type Breach, type Row } from "./own-constraints.ts";

/** What a column needs to be good, where any text or number will not do. */
const goodValues: Readonly<Record<string, Row>> = {
  api_keys: { scope: "read" },
  catalogues: { id: 1 },
  ddos_requests: { mode: "ADVANCED" },
  deposits: { state: "CONFIRMING" },
  journal: { type: "DEPOSIT" },
  machines: { state: "FREE" },
  operators: { role: "support" },
  orders: { term: "weekly" },
  servers: { state: "ACTIVE", term: "weekly", auto_renew: 1, ddos_mode: "BASELINE" },
  subnets: { family: 4 },
  withdrawals: { status: "PENDING_REVIEW" },
  work: { kind: "PROVISION", state: "OPEN" },
};

/** Columns that refer to another table's row, which is the first one there. */
const references: Row = {
  account_id: "accounts.id 1",
  address_id: "deposit_addresses.id 1",
  operator_id: "operators.id 1",
  order_id: "orders.id 1",
  server_id: "servers.id 1",
  subnet_id: "subnets.id 1",
};

/** Referred to by others, in the order in which they refer to each other. */
const owners = ["accounts", "operators", "machines", "subnets", "orders", "servers"];
owners.push("withdrawals", "deposit_addresses");

/** Of a server or a balance: the machine or the account that it has to itself. */
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

test("every named constraint and unique index of the migrations is in the list of those that are tried", () => {
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
  const tried = breaches.map(({ constraint }) => constraint);
  assert.deepEqual(new Set(named), new Set(tried));
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
      for (const owner of owners) await insert(tx, owner, rowOf(owner, 1));
      return ok();
    });
  });
  after(() => opened.dispose());

  /** The row so-and-so of a table: no two are alike in any column that need not be. */
  function rowOf(table: string, number: number): Row {
    const any = columns
      .filter((column) => column.table === table)
      .map(({ name, type, required }) => {
        const value = type === "text" ? `${table}.${name} ${number}` : number;
        return [name, references[name] ?? (required === 1 ? value : null)] as const;
      });
    const row = { ...Object.fromEntries(any), ...goodValues[table] };
    if (table === "servers") return { ...row, machine_id: `machines.id ${partnerOf(number)}` };
    return table === "balances" ? { ...row, account_id: `accounts.id ${partnerOf(number)}` } : row;
  }

  async function insert(tx: Tx, table: string, row: Row): Promise<void> {
    const values = row as unknown as InsertObject<Schema, keyof Schema>;
    await tx
      .insertInto(table as keyof Schema)
      .values(values)
      .execute();
  }

  /** The second row beside a good first one where the rule is about two; nothing of it stays. */
  function tryTwo({ table, same = [], second, both }: Breach, change: Row = {}) {
    const first = { ...rowOf(table, 11), ...both };
    const likeFirst = Object.fromEntries(same.map((column) => [column, first[column] ?? null]));
    return opened.db.write(async (tx) => {
      if (second === undefined) await insert(tx, table, first);
      await insert(tx, table, { ...rowOf(table, 12), ...both, ...likeFirst, ...second, ...change });
      return refuse("conflict");
    });
  }

  for (const breach of breaches) {
    const { constraint, onSqlite = constraint, unless } = breach;
    test(`${constraint} is held by the database itself`, async () => {
      await assert.rejects(tryTwo(breach), (error) => {
        assert.ok(error instanceof ConstraintViolation, String(error));
        assert.equal(error.constraint, engine === "sqlite" ? onSqlite : constraint);
        return true;
      });
      if (unless !== undefined) assert.deepEqual(await tryTwo(breach, unless), refuse("conflict"));
    });
  }
});
