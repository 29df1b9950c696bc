import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { startOwnPostgres, startPostgres } from "./postgres-server.ts";
import { createTestDatabase } from "./test-database.ts";

const external = process.env["IRONLEASE_TEST_DATABASE_URL"];
const skip =
  external === undefined ? false : "IRONLEASE_TEST_DATABASE_URL names an external server";

test(
  "startPostgres starts PostgreSQL 18 with fsync and synchronous_commit on",
  { skip },
  async () => {
    const server = await startPostgres();
    try {
      assert.deepEqual(await queryRow(server.url, "select 1 as one"), { one: 1 });
      assert.deepEqual(await queryRow(server.url, "show fsync"), { fsync: "on" });
      assert.deepEqual(await queryRow(server.url, "show synchronous_commit"), {
        synchronous_commit: "on",
      });
      assert.deepEqual(await queryRow(server.url, "show server_encoding"), {
        server_encoding: "UTF8",
      });
      const { server_version: version } = await queryRow(server.url, "show server_version");
      assert.match(String(version), /^18\./);
    } finally {
      await server.stop();
    }
  },
);

test("stop removes the process and the folder, and can be called twice", { skip }, async () => {
  const server = await startPostgres();
  const { pid, folder } = await describeServer(server.url);
  assert.ok(isRunning(pid) && existsSync(folder));

  await server.stop();
  await server.stop();
  assert.ok(!isRunning(pid));
  assert.ok(!existsSync(folder));
});

test("resume after pause or kill keeps the data, and stop works on a paused server", async () => {
  const server = await startOwnPostgres();
  try {
    await queryRow(server.url, "create table kept (one integer)");
    for (const end of [() => server.pause(), () => server.kill()]) {
      const { pid } = await describeServer(server.url);
      await end();
      assert.ok(!isRunning(pid));
      await assert.rejects(queryRow(server.url, "select 1 as one"));
      await server.resume();
      assert.deepEqual(await queryRow(server.url, "select count(*)::int as rows from kept"), {
        rows: 0,
      });
    }
    await server.pause();
  } finally {
    await server.stop();
  }
});

test(
  "after SIGKILL of the test process, the server stops and its folder is removed",
  { skip },
  async () => {
    const module = JSON.stringify(new URL("./postgres-server.ts", import.meta.url).href);
    const program = `
    const { startPostgres } = await import(${module});
    console.log((await startPostgres()).url);
    setInterval(() => {}, 1000);
  `;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(holder.stdout.setEncoding("utf8"), "data");
    const url = String(line).trim();
    const { folder } = await describeServer(url);

    holder.kill("SIGKILL");
    // The server is an orphan now, so there is no exit event to wait for.
    for (let check = 0; check < 2_400 && existsSync(folder); check += 1) await delay(50);
    assert.ok(!existsSync(folder));
    // Do not check the process id: without an init process that reaps orphans, a zombie remains.
    await assert.rejects(queryRow(url, "select 1"), { code: "ECONNREFUSED" });
  },
);

test("test databases are empty and separate, and drop removes them", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await queryRow(first.url, "create table a (b integer)");
  const countTables = "select count(*)::integer from pg_tables where schemaname = 'public'";
  assert.deepEqual(await queryRow(first.url, countTables), { count: 1 });
  assert.deepEqual(await queryRow(second.url, countTables), { count: 0 });

  await Promise.all([first.drop(), second.drop()]);
  await assert.rejects(queryRow(first.url, "select 1"), { code: "3D000" });
});

async function queryRow(url: string, statement: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const answer = await client.query(statement);
    return answer.rows[0];
  } finally {
    await client.end();
  }
}

async function describeServer(url: string): Promise<{ pid: number; folder: string }> {
  const { data_directory: dataFolder } = await queryRow(url, "show data_directory");
  const { pid } = await queryRow(url, "select pg_read_file('postmaster.pid') as pid");
  return { pid: Number.parseInt(String(pid), 10), folder: dirname(String(dataFolder)) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
