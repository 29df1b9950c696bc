import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkTableOwners, writesIn } from "./check-table-owners.ts";
import { tableOwners } from "./table-owners.ts";

test("the server writes each table in its owner only", () => {
  assert.deepEqual(checkTableOwners(), []);
});

const strays: [statement: string, verb: string, table: string][] = [
  ['await tx.updateTable("work").set({ state }).execute();', "updateTable", "work"],
  ['await tx.updateTable("work as w").set({ state }).execute();', "updateTable", "work"],
  ['await tx\n  .insertInto("servers")\n  .values(row);', "insertInto", "servers"],
  ['await tx.deleteFrom("sessions").execute();', "deleteFrom", "sessions"],
  ['const insert = preparedInsert("audit", ["id"]);', "preparedInsert", "audit"],
  ["await sql`update servers set state = ${state}`.execute(tx);", "update", "servers"],
  ['await sql`update "servers" as s\n  set state = 1`.execute(tx);', "update", "servers"],
  ['await client.query("INSERT INTO journal values ($1)");', "insert into", "journal"],
  ["await sql`delete from work where id = ${id}`.execute(tx);", "delete from", "work"],
];

for (const [statement, verb, table] of strays) {
  test(`outside its owner, the check reports: ${statement.replaceAll(/\s+/g, " ")}`, (t) => {
    assert.deepEqual(checkPlanted(t, { "features/orders/stray.ts": statement }), [
      `features/orders/stray.ts: ${verb} ${table}, which only ${tableOwners[table as "work"]} may write`,
    ]);
  });
}

test("a table may be written anywhere in the folder that owns it", (t) => {
  const owned = 'tx.insertInto("orders").values(order); sql`update orders set total_cents = 0`;';
  assert.deepEqual(checkPlanted(t, { "features/orders/place-order.ts": owned }), []);
});

test("a table without an owner, and a computed table name, are reported", (t) => {
  const planted = {
    "features/orders/a.ts": 'tx.insertInto("invoices").values(invoice);',
    "features/orders/b.ts": "tx.deleteFrom(table); sql`update ${sql.table(table)} set a = 1`;",
  };
  assert.deepEqual(checkPlanted(t, planted), [
    "features/orders/a.ts: insertInto invoices, which has no owner",
    "features/orders/b.ts: deleteFrom computes its table's name",
    "features/orders/b.ts: update computes its table's name",
  ]);
});

test("tests and migrations may write every table", (t) => {
  const write = 'tx.deleteFrom("work");';
  const planted = { "features/orders/orders.test.ts": write, "migrations/0001-first.ts": write };
  assert.deepEqual(checkPlanted(t, planted), []);
});

test("an owner that does not exist is reported", (t) => {
  const problems = checkPlanted(t, {}, (path) => path !== "kernel/ledger.ts");
  assert.deepEqual(problems, [
    "kernel/ledger.ts, the owner of balances, does not exist",
    "kernel/ledger.ts, the owner of journal, does not exist",
  ]);
});

test("reads, locks and upserts of other clauses are not writes", () => {
  const source = `
    tx.selectFrom("work").forUpdate().skipLocked();
    sql\`select id from servers for update of servers\`;
    sql\`on conflict do update set free = 1\`;
    const hint = "Update servers before you set the price.";
  `;
  assert.deepEqual(writesIn(source), []);
});

/** A tree with every owner in place and the planted files on top. */
function checkPlanted(
  t: TestContext,
  planted: Record<string, string>,
  keeps: (path: string) => boolean = () => true,
): string[] {
  const root = mkdtempSync(join(tmpdir(), "ironlease-owners-"));
  t.after(() => rmSync(root, { recursive: true }));
  const owners = Object.values(tableOwners).filter(keeps);
  const files = Object.fromEntries(
    owners.map((owner) => [owner.endsWith("/") ? `${owner}index.ts` : owner, ""]),
  );
  for (const [path, text] of Object.entries({ ...files, ...planted })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkTableOwners(root);
}
