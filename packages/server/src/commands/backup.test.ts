import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";

const run = (args: readonly string[], env: Record<string, string>) =>
  ironleased(["backup", ...args], env);

const opened: OpenedEngine[] = [];
after(() => Promise.all(opened.map((one) => one.dispose())));

/** A data folder whose database is open, and a folder for copies. */
async function openDataFolder(): Promise<{ env: { IRONLEASE_DATA: string }; copies: string }> {
  const engine = await openEngine("sqlite");
  opened.push(engine);
  return { env: { IRONLEASE_DATA: dirname(engine.location) }, copies: temporaryFolder() };
}

test("the copy is complete and private to its owner, and the output explains how to restore it", async () => {
  const { env, copies } = await openDataFolder();
  const file = join(copies, "copy.db");
  const { code, said } = await run([file], env);
  assert.equal(code, 0, said);
  assert.match(
    said,
    /^Backed up .*ironlease\.db to .*copy\.db \([\d.]+ [KM]iB, checked and synced\)\.$/m,
  );
  assert.match(said, /ironlease\.db-wal/);
  assert.match(said, /second factors in it can be read only with .*secret\.key\. Keep a copy/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(copies), ["copy.db"]);
  const copy = new DatabaseSync(file, { readOnly: true });
  const { count } = copy.prepare("select count(*) as count from schema_migrations").get() ?? {};
  copy.close();
  assert.ok(Number(count) >= 5);
});

test("standard output is refused, and no file of that name is written", async () => {
  const { env } = await openDataFolder();
  const { code, said } = await run(["-"], env);
  assert.equal(code, 2);
  assert.match(said, /^error: FILE must be a path: a backup does not go to standard output\./);
  assert.ok(!existsSync("-"));
});

test("an existing file, link or folder is refused and left unchanged", async () => {
  const { env, copies } = await openDataFolder();
  const file = join(copies, "copy.db");
  writeFileSync(file, "precious");
  const link = join(copies, "link.db");
  symlinkSync(join(copies, "nowhere.db"), link);
  for (const target of [file, link, copies]) {
    const { code, said } = await run([target], env);
    assert.equal(code, 1);
    assert.match(said, /^Nothing was backed up\. .* already exists/);
  }
  assert.equal(readFileSync(file, "utf8"), "precious");
  assert.deepEqual(readdirSync(copies), ["copy.db", "link.db"]);
});

test("a missing database or target folder is an error, and neither is created", async () => {
  const { env, copies } = await openDataFolder();
  const data = join(temporaryFolder(), "none");
  const without = await run([join(copies, "copy.db")], { IRONLEASE_DATA: data });
  assert.deepEqual(
    [without.code, without.said],
    [1, `Nothing was backed up. There is no database at ${join(data, "ironlease.db")}.`],
  );
  assert.ok(!existsSync(data));
  const nowhere = await run([join(copies, "no", "copy.db")], env);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.said, /The folder .*no does not exist\./);
  assert.deepEqual(readdirSync(copies), []);
});

test("a damaged or foreign database is not copied, and no partial file remains", async () => {
  const copies = temporaryFolder();
  const garbage = temporaryFolder();
  writeFileSync(
    join(garbage, "ironlease.db"),
    "this text is not a database, but it is long enough for one",
  );
  const foreign = temporaryFolder();
  const other = new DatabaseSync(join(foreign, "ironlease.db"));
  other.exec("create table notes (text text)");
  other.close();
  const whole = join(temporaryFolder(), "whole.db");
  await run([whole], (await openDataFolder()).env);
  const bytes = readFileSync(whole);
  bytes.fill(0xff, 8 * 4_096, 12 * 4_096);
  const damaged = temporaryFolder();
  writeFileSync(join(damaged, "ironlease.db"), bytes);
  for (const data of [garbage, foreign, damaged]) {
    const { code, said } = await run([join(copies, "copy.db")], { IRONLEASE_DATA: data });
    assert.equal(code, 1, said);
    assert.match(said, /^Nothing was backed up\. .+\.$/);
    assert.doesNotMatch(said, /\n\s+at /);
  }
  assert.deepEqual(readdirSync(copies), []);
});

test("for PostgreSQL it exits with 1 and names the database and the tools, but not the password", async () => {
  const env = {
    IRONLEASE_DATA: temporaryFolder(),
    IRONLEASE_DATABASE_URL: "postgres://rent:hunter2@db.example:5433/ironlease?password=hunter2",
  };
  const { code, said } = await run(["copy.dump"], env);
  assert.equal(code, 1);
  assert.match(said, /pg_dump .*'postgres:\/\/rent@db\.example:5433\/ironlease'/);
  assert.match(said, /pg_restore/);
  assert.doesNotMatch(said, /hunter2/);
});

test("no file, two files or an empty name is a usage error with exit code 2", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "data"));
  for (const args of [[], ["a", "b"], [""]]) {
    const { code, said } = await run(args, { IRONLEASE_DATA: join(folder, "data") });
    assert.equal(code, 2);
    assert.match(said, /^error: .*\n +ironleased backup --help$/);
  }
  const { code, stderr } = await runIronleased(["backup"], { IRONLEASE_DATA: folder });
  assert.equal(code, 2);
  assert.match(stderr, /^error: FILE is required: .*\n +ironleased backup --help\n$/);
});
