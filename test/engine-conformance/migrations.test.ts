import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import type { Db, MigrationStep } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { createEmptyDatabase, forEachEngine, type DatabaseLocation } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { addCounter, countOf } from "./rows.ts";

const step = (name: string, ...statements: string[]): MigrationStep => ({
  name,
  statements: () => statements,
});
const racks = step("0001-racks", "create table racks (id integer)", "insert into racks values (1)");
const blades = step("0002-blades", "create table blades (id integer)");

forEachEngine((engine) => {
  let database: DatabaseLocation;
  let db: Db;

  beforeEach(async () => {
    database = await createEmptyDatabase(engine);
    db = await openAt(engine, database.location);
  });
  afterEach(async () => {
    await db.close();
    await database.remove();
  });

  test("migrate applies each missing step once, in order, and returns their names", async () => {
    assert.deepEqual(await db.migrate([racks], 1), ["0001-racks"]);
    assert.deepEqual(await db.migrate([racks, blades], 2), ["0002-blades"]);
    assert.deepEqual(await db.migrate([racks, blades], 3), []);
    assert.deepEqual(await applied(), [
      ["0001-racks", 1],
      ["0002-blades", 2],
    ]);
    assert.equal(await rowsOf("racks"), 1);
  });

  test("pending returns the missing steps without applying them", async () => {
    assert.deepEqual(await db.pending([racks, blades]), ["0001-racks", "0002-blades"]);
    await assert.rejects(rowsOf("racks"));
    await db.migrate([racks], 1);
    assert.deepEqual(await db.pending([racks, blades]), ["0002-blades"]);
    await assert.rejects(rowsOf("blades"));
    await db.migrate([racks, blades], 1);
    assert.deepEqual(await db.pending([racks, blades]), []);
  });

  test("a step that differs from the applied one is refused, and nothing is applied", async () => {
    await db.migrate([racks], 1);
    const changed = step("0001-racks", "create table racks (id text)");
    const sentence = {
      message:
        "the migration 0001-racks differs from the one applied to this database: applied steps are frozen, add a new one",
    };
    await assert.rejects(db.migrate([changed, blades], 2), sentence);
    await assert.rejects(db.pending([changed, blades]), sentence);
    assert.deepEqual(await applied(), [["0001-racks", 1]]);
  });

  test("a database of a newer version is refused, and nothing is applied", async () => {
    await db.migrate([racks], 1);
    const sentence = {
      message:
        "the database has the migration 0001-racks, which this version does not know: start the newer version that applied it",
    };
    await assert.rejects(db.migrate([blades], 2), sentence);
    await assert.rejects(db.pending([blades]), sentence);
    assert.deepEqual(await applied(), [["0001-racks", 1]]);
  });

  test("a failed step rolls back all steps of the migration", async () => {
    const half = step(
      "0002-blades",
      "create table blades (id integer)",
      "insert into nowhere values (1)",
    );
    await assert.rejects(db.migrate([racks, half], 1), /nowhere/);
    await assert.rejects(rowsOf("racks"));
    await assert.rejects(rowsOf("blades"));
    assert.deepEqual(await db.pending([racks, half]), ["0001-racks", "0002-blades"]);
    assert.deepEqual(await db.migrate([racks, blades], 2), ["0001-racks", "0002-blades"]);
  });

  test("a migration and a concurrent write both succeed", async () => {
    await db.migrate(migrations, 1);
    const inside = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const write = db.write(async (tx) => {
      await addCounter(tx, "in progress", 1);
      inside.resolve();
      await finish.promise;
      return ok();
    });
    await inside.promise;
    const migration = db.migrate([...migrations, racks], 2);
    // Gives the migration one turn of the event loop, so that it gets as far as it can.
    await new Promise((resolve) => setImmediate(resolve));
    finish.resolve();

    assert.deepEqual(await write, ok());
    assert.deepEqual(await migration, ["0001-racks"]);
    assert.equal(await countOf(db, "in progress"), 1);
  });

  test("customer-visible-state gives frozen accounts and suspended servers a neutral reason, not the operator's", async () => {
    const index = migrations.findIndex(({ name }) => name.endsWith("-customer-visible-state"));
    await db.migrate(migrations.slice(0, index), 1);
    const insert = async (table: string, row: Readonly<Record<string, string | number | null>>) => {
      const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
      const values = sql.join(Object.values(row));
      await db.write(async (tx) => {
        await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(tx);
        return ok();
      });
    };
    const secret = JSON.stringify({ reason: "looks like a money launderer" });
    for (const [id, frozen_at] of [
      ["acc_frozen", 5],
      ["acc_free", null],
    ] as const) {
      const hashes = { password_hash: "", recovery_hash: "" };
      await insert("accounts", { id, username: id, ...hashes, created_at: 1, frozen_at });
    }
    const offer = { config_id: "c", region_id: "r", os_id: "o", term: "weekly", created_at: 1 };
    const owned = { ...offer, account_id: "acc_free" };
    await insert("orders", { id: "ord_1", ...owned, quantity: 1, total_cents: 1 });
    for (const [id, state] of [
      ["srv_suspended", "SUSPENDED"],
      ["srv_active", "ACTIVE"],
    ] as const) {
      const machine = { id: `mch_${id}`, asset_tag: id, state: "ASSIGNED", created_at: 1 };
      await insert("machines", { ...machine, config_id: "c", region_id: "r" });
      await insert("servers", {
        id,
        ...owned,
        order_id: "ord_1",
        machine_id: `mch_${id}`,
        state,
        price_cents: 1,
        auto_renew: 1,
        ddos_mode: "BASELINE",
        ddos_quote_accepted: 0,
      });
    }
    const suspension = { actor: "opr_1", subject: "srv_suspended", detail: secret, ip_address: "" };
    await insert("audit", { id: "aud_1", at: 7, action: "server.suspend", ...suspension });

    await db.migrate(migrations, 2);
    const accounts = db.read.selectFrom("accounts").select(["id", "frozen_at", "frozen_reason"]);
    assert.deepEqual(
      (await accounts.orderBy("id").execute()).map((row) => Object.values(row)),
      [
        ["acc_free", null, null],
        ["acc_frozen", 5, "Contact support."],
      ],
    );
    const servers = db.read.selectFrom("servers").select(["id", "suspended_at"]);
    assert.deepEqual(
      (await servers.select("suspension_reason").orderBy("id").execute()).map((row) =>
        Object.values(row),
      ),
      [
        ["srv_active", null, null],
        ["srv_suspended", 7, "Contact support."],
      ],
    );
  });

  test("a prepared statement still works after another process has altered the table", async () => {
    await db.migrate([racks], 1);
    const everything = sql<Record<string, number>>`select * from racks`;
    const readInWrite = () =>
      db.write(async (tx) => ok((await everything.execute(tx)).rows.length));
    assert.equal((await everything.execute(db.read)).rows.length, 1);
    assert.deepEqual(await readInWrite(), { ok: true, value: 1 });

    const other = await openAt(engine, database.location);
    await other.migrate([racks, step("0002", "alter table racks add column region text")], 2);
    await other.close();
    const { rows } = await everything.execute(db.read);
    assert.deepEqual(Object.keys(rows[0] ?? {}), ["id", "region"]);
    assert.deepEqual(await readInWrite(), { ok: true, value: 1 });
  });

  async function rowsOf(table: string): Promise<number> {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db.read);
    return rows.length;
  }

  async function applied(): Promise<unknown[]> {
    const query = sql<{ name: string; applied_at: number }>`select * from schema_migrations`;
    return (await query.execute(db.read)).rows.map((row) => [row.name, row.applied_at]);
  }
});
