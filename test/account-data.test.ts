import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operations, type AnswerOf, type Operations } from "@ironlease/contract";
import { sql } from "kysely";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { compileRequestCheck } from "#server/kernel/field-checks.ts";
import { runSql, emptyAccount } from "#test/closure.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { populateAccount } from "#test/populate-account.ts";
import { adjust } from "#test/rental-service.ts";
import { password, type Customer } from "#test/service.ts";
import { createMigratedDatabase, type TestDatabase } from "#test/test-database.ts";
import { accountData } from "../tools/account-data.ts";

type Exported = AnswerOf<Operations["exportAccount"]>["body"];
type Schema = Parameters<typeof compileRequestCheck>[0];
type Row = Readonly<Record<string, string | number | null>>;

const username = "ada-lovelace";

interface Listed {
  readonly table: string;
  readonly by: string;
  readonly of?: string;
  readonly exported: keyof Exported | { readonly leftOut: string };
  readonly closed: "deleted" | { readonly erases?: readonly string[]; readonly keeps: string };
}

const tables = Object.entries(accountData).flatMap(([table, data]): Listed[] =>
  "by" in data ? [{ table, ...data }] : [],
);

/** What identifies an exported row, where it is not the id. Undefined: the row is a few numbers. */
const identity: Readonly<Record<string, string | undefined>> = {
  balances: undefined,
  withdrawal_locks: undefined,
  contacts: "email",
  seen_networks: "network",
  idempotency_keys: "key",
  sealed_texts: "ciphertext",
};

/** Texts that only ada or people who write to her know. */
const personal = [
  username,
  "Ada's laptop",
  "ada@laptop",
  "Cold wallet",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  "company name on the invoices",
  "Second disk",
  "hooks.example.com",
  "Shop frontend",
  "names.ada-notes.com",
  "images.ada-notes.com",
  "AGE ENCRYPTED FILE",
];

forEachEngine((engine) => {
  describe("what the service stores about an account", () => {
    let service: ConsoleService;
    let database: TestDatabase | undefined;
    let ada: Customer;
    let accountId: string;
    before(async () => {
      database = engine === "postgres" ? await createMigratedDatabase() : undefined;
      service = await startConsoleService({
        ...noMailServer,
        ...(database !== undefined && { IRONLEASE_DATABASE_URL: database.url }),
      });
      await populateAccount(service, username);
      ada = await service.signIn(username);
      ({ id: accountId } = await service.core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow());
      await ada.send("PUT", "/api/v1/withdrawal-lock", { body: { locked: true } });
      const { assignments } = (await ada.send("GET", "/api/v1/network")).json;
      const rdns = `/api/v1/network/${assignments[0].id}/rdns`;
      await ada.send("PUT", rdns, { body: { ptr: "names.ada-notes.com" } });
      const action = { action: "mount_iso", isoUrl: "https://images.ada-notes.com/a.iso" };
      await write(ada, "POST", `/api/v1/servers/${assignments[0].serverId}/actions`, action);
      // More ledger entries than a page has.
      for (let count = 0; count < 101; count += 1) await adjust(service.core, accountId, 1);
      // Ended sessions are stored until the next sweep.
      await sweep(service.core);
    });
    after(async () => {
      await service.close();
      await database?.drop();
    });

    const rowsOf = async ({ table, by, of }: Listed): Promise<readonly Row[]> => {
      const { db } = service.core;
      const owner = sql`(select id from ${sql.table(of ?? "accounts")} where ${sql.ref(of === undefined ? "id" : "account_id")} = ${accountId})`;
      const found = await sql<Row>`
        select * from ${sql.table(table)} where ${sql.ref(by)} in ${owner}`.execute(db.read);
      return found.rows;
    };

    test("every table of the database is listed, and those with an account's id as about accounts", async () => {
      const found = await sql<{ table: string; column: string }>`${
        engine === "sqlite"
          ? sql`select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c
              where m.type = 'table' and m.name not like 'sqlite_%'`
          : sql`select c.table_name as "table", c.column_name as "column"
              from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
              where t.table_schema = current_schema() and t.table_type = 'BASE TABLE'`
      }`.execute(service.core.db.read);
      const rows = found.rows.filter(({ table }) => !table.startsWith("schema_"));
      assert.deepEqual(
        [...new Set(rows.map(({ table }) => table))].toSorted(),
        Object.keys(accountData).toSorted(),
      );
      const owned = rows.filter(({ column }) => ["account_id", "owner_id"].includes(column));
      const listed = new Set(tables.map(({ table }) => table));
      assert.deepEqual(
        owned.filter(({ table }) => !listed.has(table)),
        [],
      );
    });

    test("the export has the described shape, every row of the listed tables, and no secrets", async () => {
      // Read before the export, because background jobs go on.
      const stored = new Map<string, readonly Row[]>();
      for (const listed of tables) stored.set(listed.table, await rowsOf(listed));
      const answer = await ada.send("GET", "/api/v1/account-export");
      assert.equal(answer.status, 200);
      assert.match(
        String(answer.headers["content-disposition"]),
        /^attachment; filename="ironlease-\d{4}-\d\d-\d\d\.json"$/,
      );
      const document = answer.json as Exported;
      const schema = operations.exportAccount.answers[200];
      assert.deepEqual(compileRequestCheck(schema)(document).slice(0, 3), []);
      assert.deepEqual(Object.keys(document), Object.keys(schema.properties));
      for (const [name, member] of Object.entries(schema.properties)) {
        const list = (document as Readonly<Record<string, unknown>>)[name];
        if (!Array.isArray(list)) continue;
        assert.ok(list.length > 0, `${name} is empty`);
        const { items } = member as { readonly items: Schema };
        const exact = { ...items, additionalProperties: false };
        assert.deepEqual(compileRequestCheck(exact)(list[0]), [], name);
      }
      for (const { table, exported } of tables) {
        if (typeof exported === "object") continue;
        const column = table in identity ? identity[table] : "id";
        if (column === undefined) continue;
        const member = JSON.stringify(document[exported]);
        // Mails have the events of the subscriber for e-mail.
        const rows = (stored.get(table) ?? []).filter(({ channel }) => channel !== "EMAIL");
        assert.ok(rows.length > 0, `${table} is empty`);
        for (const row of rows) {
          assert.ok(member.includes(JSON.stringify(row[column])), `${table} ${row[column]}`);
        }
      }
      const secretColumns = /hash|secret|derivation|request_hash/;
      for (const [table, rows] of stored) {
        // Hashes of entries are no secrets: the ledger shows them.
        if (["journal", "balances"].includes(table)) continue;
        for (const row of rows) {
          for (const [name, value] of Object.entries(row)) {
            if (!secretColumns.test(name) || typeof value !== "string" || value.length < 10)
              continue;
            assert.ok(!answer.text.includes(value), `${table}.${name}`);
          }
        }
      }
      const operators = await service.core.db.read
        .selectFrom("operators")
        .select(["id", "username"])
        .execute();
      for (const { id, username: name } of operators) {
        assert.ok(!answer.text.includes(id) && !answer.text.includes(`"${name}"`), name);
      }
    });

    test("an account with servers or money is not closed, and the answer says what is left", async () => {
      const answer = await ada.send("POST", "/api/v1/account/close", { body: { password } });
      assert.equal(answer.status, 409);
      assert.equal(codeOf(answer), "account_not_empty");
      assert.match(
        answer.json.error.message,
        /4 servers: .+120\.50 USD is held: .+A deposit is on its way: .+The balance is [\d.]+ USD: withdraw it\./,
      );
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
    });

    test("closing ends all access, erases what is personal and keeps the accounting", async () => {
      const other = await service.signIn(username);
      await emptyAccount(service, other, accountId);
      const wrong = await other.send("POST", "/api/v1/account/close", {
        body: { password: "not this password" },
      });
      assert.equal(codeOf(wrong), "invalid_credentials");
      const kept = new Map<string, number>();
      for (const listed of tables) {
        if (listed.closed !== "deleted") kept.set(listed.table, (await rowsOf(listed)).length);
      }
      const answer = await other.send("POST", "/api/v1/account/close", { body: { password } });
      assert.equal(answer.status, 204, answer.text);
      assert.ok(answer.headers["set-cookie"]?.every((line) => line.includes("Max-Age=0")));

      for (const customer of [ada, other]) {
        assert.equal(codeOf(await customer.send("GET", "/api/v1/me")), "authentication_required");
      }
      for (const name of [username, `closed/${accountId}`]) {
        const login = await service.send("POST", "/api/v1/auth/login", {
          body: { username: name, password },
        });
        assert.equal(codeOf(login), "invalid_credentials");
      }
      const erased = ["", "{}", "(erased)", `closed/${accountId}`];
      for (const listed of tables) {
        const { table, closed } = listed;
        const rows = await rowsOf(listed);
        if (closed === "deleted") {
          assert.equal(rows.length, 0, table);
          continue;
        }
        const isAudit = table === "audit";
        assert.equal(rows.length, (kept.get(table) ?? 0) + (isAudit ? 1 : 0), table);
        for (const row of rows) {
          const values: readonly string[] = (closed.erases ?? []).map((column) =>
            String(row[column] ?? ""),
          );
          assert.deepEqual(
            values.filter((value) => !erased.includes(value)),
            [],
            table,
          );
        }
      }
      const stored: string[] = [];
      for (const table of Object.keys(accountData)) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(service.core.db.read);
        const text = JSON.stringify(rows);
        for (const piece of personal) if (text.includes(piece)) stored.push(`${table}: ${piece}`);
      }
      assert.deepEqual(stored, []);
      const findings = await verifyInvariants(service.core.db);
      assert.deepEqual(
        findings.filter(({ offenders }) => offenders.length > 0),
        [],
      );
    });

    test("the database refuses to change other parts of the audit log, or entries of open accounts", async () => {
      const refused = async (statement: string) =>
        assert.rejects(runSql(service.core.db, statement), /append-only/, statement);
      await refused(`update audit set actor = 'x' where actor = '${accountId}'`);
      await refused(`update audit set detail = '{"a":1}' where actor = '${accountId}'`);
      await refused(`update audit set ip_address = '192.0.2.1' where actor <> '${accountId}'`);
      await refused(
        `update audit set detail = '{}' where detail <> '{}' and actor <> '${accountId}'`,
      );
      await refused(`delete from audit where actor = '${accountId}'`);
    });

    test("the username is free, and operators can read the closed account, debit it and nothing else", async () => {
      await service.register(username);
      const finance = await service.operator("admin");
      const listed = await finance.send("GET", "/operator/v1/accounts?closed=true");
      assert.deepEqual(
        listed.json.accounts.map(({ id, closedAt }: Row) => [id, typeof closedAt]),
        [[accountId, "string"]],
      );
      const path = `/operator/v1/accounts/${accountId}`;
      assert.equal((await finance.send("GET", path)).json.sessions, 0);
      const body = { reason: "a test" };
      for (const [target, fields] of [
        [`${path}/freeze`, body],
        [`${path}/unfreeze`, body],
        [`${path}/adjustments`, { ...body, usd: 5 }],
        ["/operator/v1/threads", { accountId, text: "Hello" }],
      ] as const) {
        const headers = { "idempotency-key": `closed-${target.length}` };
        const answer = await finance.send("POST", target, { body: fields, headers });
        assert.equal(codeOf(answer), "conflict", `${target} ${answer.text}`);
      }
    });

    test("a deposit to a closed account is credited, raises an alarm and can be returned", async () => {
      const finance = await service.operator("admin");
      const { address } = await service.core.db.read
        .selectFrom("deposit_addresses")
        .select("address")
        .where("account_id", "=", accountId)
        .where("asset", "=", "BTC")
        .executeTakeFirstOrThrow();
      await service.pay(address ?? "", "0.001", { confirmations: 100 });
      const alarmsOf = async () => {
        const { alarms } = (await finance.send("GET", "/operator/v1/settlement")).json;
        return alarms.filter(({ kind }: Row) => kind === "DEPOSIT_TO_CLOSED_ACCOUNT");
      };
      // The clock stands still, so deposits of the moment of closing count as later ones, too.
      const details: string[] = (await alarmsOf()).map(({ detail }: { detail: string }) => detail);
      const late = new RegExp(`^0\\.00100000 BTC .+${accountId}`);
      assert.ok(
        details.some((detail) => late.test(detail)),
        details.join("\n"),
      );
      const { balanceUsd } = (await finance.send("GET", `/operator/v1/accounts/${accountId}`)).json;
      assert.ok(balanceUsd > 0);
      const returned = await finance.send(
        "POST",
        `/operator/v1/accounts/${accountId}/adjustments`,
        {
          body: { usd: -balanceUsd, reason: "Returned to the sender" },
          headers: { "idempotency-key": "returned-deposit" },
        },
      );
      assert.equal(returned.status, 201, returned.text);
      assert.deepEqual(await alarmsOf(), []);
    });
  });
});
