import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { ok } from "#server/kernel/result.ts";
import { createEmptyDatabase, openEngine, type OpenedEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { addCounter, countOf } from "./rows.ts";

describe("sqlite", () => {
  let opened: OpenedEngine;
  before(async () => {
    opened = await openEngine("sqlite");
  });
  after(() => opened.dispose());

  test("the write connection uses WAL, synchronous full and foreign keys", async () => {
    const settings = await opened.db.write(async (tx) => {
      const read = async (name: string) => {
        const { rows } = await sql`pragma ${sql.raw(name)}`.execute(tx);
        return Object.values(rows[0] as object)[0];
      };
      return ok([
        await read("journal_mode"),
        await read("synchronous"),
        await read("foreign_keys"),
      ]);
    });
    assert.deepEqual(settings, { ok: true, value: ["wal", 2, 1] });
  });

  test("the read connection cannot write", async () => {
    await assert.rejects(addCounter(opened.db.read, "through read"), /readonly/);
    assert.equal(await countOf(opened.db, "through read"), undefined);
  });

  test("the database files are readable by their owner only", async () => {
    await opened.db.write(async (tx) => ok(await addCounter(tx, "private")));
    assert.equal(permissionsOf(dirname(opened.location)), 0o700);
    for (const suffix of ["", "-wal", "-shm"]) {
      assert.equal(permissionsOf(opened.location + suffix), 0o600);
    }
  });

  test("opening a file without WAL switches it to WAL", async () => {
    const { location, remove } = await createEmptyDatabase("sqlite");
    const plain = new DatabaseSync(location);
    plain.exec("pragma journal_mode = delete; create table a (b integer)");
    plain.close();
    const db = await openAt("sqlite", location);
    const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db.read);
    assert.equal(rows[0]?.journal_mode, "wal");
    await db.close();
    await remove();
  });
});

describe("postgres", () => {
  test("a database with synchronous_commit off is refused with an error that names the setting", async () => {
    const { location, remove } = await createEmptyDatabase("postgres");
    const name = new URL(location).pathname.slice(1);
    await execute(location, `alter database ${name} set synchronous_commit = off`);
    await assert.rejects(openAt("postgres", location), {
      message:
        "PostgreSQL runs with synchronous_commit = off, so an acknowledged order could be lost. Switch it on.",
    });
    await execute(location, `alter database ${name} set synchronous_commit = local`);
    const db = await openAt("postgres", location);
    await db.close();
    await remove();
  });

  const skip = process.env["IRONLEASE_TEST_DATABASE_URL"] !== undefined && "the server is external";
  test(
    "a server with fsync off is refused with an error that names the setting",
    { skip },
    async () => {
      const server = await startPostgres();
      try {
        const started = await openAt("postgres", server.url);
        await started.close();
        await execute(server.url, "alter system set fsync = off");
        await execute(server.url, "select pg_reload_conf()");
        // The server applies the setting asynchronously. Each check opens a new connection.
        for (let check = 0; check < 200; check += 1) {
          if ((await settingOf(server.url, "fsync")) === "off") break;
        }
        await assert.rejects(openAt("postgres", server.url), {
          message:
            "PostgreSQL runs with fsync = off, so an acknowledged order could be lost. Switch it on.",
        });
      } finally {
        await server.stop();
      }
    },
  );
});

function permissionsOf(path: string): number {
  return statSync(path).mode & 0o777;
}

async function settingOf(url: string, name: string): Promise<unknown> {
  const [row] = await execute(url, `show ${name}`);
  return row?.[name];
}

async function execute(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
