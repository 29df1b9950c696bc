import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createKeyFile } from "#test/second-factor.ts";
import { createTestCore } from "#test/core.ts";
import { startIronleased } from "#test/daemon.ts";
import { claimedItem, withHardware } from "#test/hardware.ts";
import { startMailServer } from "#test/mail-server.ts";
import { addTestOperator } from "#test/operators.ts";
import { runStatement } from "#test/template-database.ts";
import {
  createMigratedDatabase,
  createTestDatabase,
  type TestDatabase,
} from "#test/test-database.ts";
import { ironleased } from "#test/ironleased.ts";
import { subscribeUrl } from "#test/webhooks.ts";

async function runDoctor(env: Readonly<Record<string, string>>) {
  const { code, lines } = await ironleased(["doctor"], { IRONLEASE_TLS: "off", ...env });
  const on = (subject: string) => lines.find((line) => line.slice(5).startsWith(`${subject}:`));
  return { code, on, lines };
}

/** Every file of a folder, with the properties that a check must not change. */
function filesIn(folder: string): readonly unknown[] {
  return [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()].map(
    (name) => {
      const { mode, mtimeMs, ino } = lstatSync(join(folder, name));
      const isFile = lstatSync(join(folder, name)).isFile();
      const content = isFile ? readFileSync(join(folder, name), "base64") : undefined;
      return { name, mode, mtimeMs, ino, content };
    },
  );
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-doctor-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("before the first start, doctor announces a key but creates none", async (t) => {
  const IRONLEASE_DATA = join(emptyFolder(t), "data");
  const { code, on } = await runDoctor({ IRONLEASE_DATA });
  assert.equal(code, 0);
  assert.match(on("second factors") ?? "", /^ok .*the first start will create a key$/);
  assert.ok(!existsSync(IRONLEASE_DATA));
});

test("a second factor that the key cannot open is a problem that names its operator", async (t) => {
  const opened = await createTestCore("sqlite");
  t.after(() => opened.dispose());
  const { core } = opened;
  const totpSecret = await core.sealing.seal("JBSWY3DPEHPK3PXP", "totp opr_elsewhere");
  const { username } = await addTestOperator(core, "admin", { totpSecret });
  const IRONLEASE_DATA = dirname(opened.location);
  const expected = new RegExp(`^BAD .*second factor of ${username} .*operator reset ${username}`);
  const without = await runDoctor({ IRONLEASE_DATA });
  assert.match(without.on("second factors") ?? "", expected);
  await createKeyFile(IRONLEASE_DATA);
  const { code, on } = await runDoctor({ IRONLEASE_DATA });
  assert.match(on("second factors") ?? "", expected);
  assert.equal(code, 1);
  const elsewhere = await runDoctor({ IRONLEASE_DATA, IRONLEASE_OPERATOR_LISTEN: "off" });
  assert.match(elsewhere.on("second factors") ?? "", /^ok .*so no key is needed$/);
});

test("controllers and webhooks whose secrets the key cannot open are problems, and so is a missing ipmitool", async (t) => {
  const opened = await createTestCore("sqlite");
  t.after(() => opened.dispose());
  const core = withHardware(opened.core);
  const IRONLEASE_DATA = dirname(opened.location);
  await createKeyFile(IRONLEASE_DATA);
  const [IRONLEASE_HARDWARE_NETWORKS, IRONLEASE_IPMITOOL] = ["127.0.0.0/8", process.execPath];
  const env = { IRONLEASE_DATA, IRONLEASE_HARDWARE_NETWORKS, IRONLEASE_IPMITOOL };
  const good = await runDoctor(env);
  assert.match(good.on("management controllers") ?? "", /^ok .*allowed on 127\.0\.0\.0\/8$/);
  assert.match(good.on("webhook secrets") ?? "", /^ok /);
  const input = {
    driver: "ipmi",
    address: "127.0.0.1:623",
    username: "u",
    credential: "c",
  } as const;
  const { machineId } = await claimedItem(core, input, "reboot");
  const webhook = await subscribeUrl(core, "https://hooks.example.com/");
  const bad = await runDoctor(env);
  assert.match(bad.on("management controllers") ?? "", new RegExp(`^BAD .*${machineId}`));
  assert.match(bad.on("webhook secrets") ?? "", new RegExp(`^BAD .*${webhook.id}`));
  const without = await runDoctor({ ...env, IRONLEASE_IPMITOOL: "/nonexistent" });
  assert.match(without.on("management controllers") ?? "", /^BAD .*install ipmitool/);
  assert.match(
    (await runDoctor({ IRONLEASE_DATA })).on("management controllers") ?? "",
    /^note .*IRONLEASE_HARDWARE_NETWORKS/,
  );
});

test("a configured key file must exist and be private to its owner", async (t) => {
  const folder = emptyFolder(t);
  const env = { IRONLEASE_DATA: join(folder, "data"), IRONLEASE_SECRET_FILE: join(folder, "key") };
  const missing = await runDoctor(env);
  // A start would fail, although there is no second factor to open yet.
  const line = missing.on("second factors") ?? "";
  assert.match(line, /^BAD .*cannot be read \(ENOENT\)/);
  assert.equal(line.split("ENOENT").length, 2, "the cause is said once");
  writeFileSync(env.IRONLEASE_SECRET_FILE, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  chmodSync(env.IRONLEASE_SECRET_FILE, 0o644);
  const open = await runDoctor(env);
  assert.match(open.on("second factors") ?? "", /^BAD .*other users can read .*: chmod 600/);
  chmodSync(env.IRONLEASE_SECRET_FILE, 0o600);
  assert.equal((await runDoctor(env)).code, 0);
});

test("a database that does not answer is one problem with its cause and what to do", async (t) => {
  const { code, on, lines } = await runDoctor({
    IRONLEASE_DATA: emptyFolder(t),
    IRONLEASE_DATABASE_URL: "postgres://127.0.0.1:1/none",
  });
  assert.equal(code, 1);
  assert.match(
    on("database") ?? "",
    /^BAD .*does not answer: connect ECONNREFUSED 127\.0\.0\.1:1\. Check the server and IRONLEASE_/,
  );
  for (const subject of ["replication", "second factors", "sealed secrets", "liabilities"]) {
    assert.match(on(subject) ?? "", /^note .*not checked/);
  }
  assert.equal(lines.at(-1), "1 problem found.");
});

test("a remote database without certificate verification is a problem that hides the password", async () => {
  const IRONLEASE_DATABASE_URL = "postgres://rent:hunter2@db.invalid/ironlease";
  const { on } = await runDoctor({ IRONLEASE_DATABASE_URL });
  const line = on("database connection") ?? "";
  assert.match(line, /^BAD .*sslmode=verify-full/);
  assert.ok(!line.includes("hunter2"));
  const verified = { IRONLEASE_DATABASE_URL: `${IRONLEASE_DATABASE_URL}?sslmode=verify-full` };
  assert.match((await runDoctor(verified)).on("database connection") ?? "", /^ok /);
});

test("a mail server that refuses the password is a problem that hides it", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  const mail = await startMailServer();
  t.after(() => mail.close());
  assert.match(
    (await runDoctor({ IRONLEASE_DATA })).on("e-mail") ?? "",
    /^note .*sends no e-mail$/,
  );
  const good = await runDoctor({ IRONLEASE_DATA, ...mail.settings });
  assert.match(good.on("e-mail") ?? "", /^ok .*from no-reply@rent\.example$/);
  const wrong = new URL(mail.url);
  wrong.password = "hunter2";
  const bad = await runDoctor({ IRONLEASE_DATA, ...mail.settings, IRONLEASE_SMTP: wrong.href });
  assert.match(bad.on("e-mail") ?? "", /^BAD .*cannot be used \(EAUTH .* 535\)$/);
  assert.equal(bad.code, 1);
  assert.ok(!bad.lines.join("\n").includes("hunter2"));
});

test("an empty data folder stays empty", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  const { code, on } = await runDoctor({ IRONLEASE_DATA, IRONLEASE_TLS: "self-signed" });
  assert.equal(code, 0);
  assert.match(on("database") ?? "", /^ok .*the first start will create/);
  assert.match(on("certificate") ?? "", /^ok .*the next start will create/);
  assert.deepEqual(readdirSync(IRONLEASE_DATA), []);
});

test("the data folder of a stopped service is left unchanged, including modes and times", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  await (await startIronleased("serve", { IRONLEASE_DATA })).stop();
  const before = filesIn(IRONLEASE_DATA);
  const { code, on } = await runDoctor({ IRONLEASE_DATA, IRONLEASE_TLS: "self-signed" });
  assert.equal(code, 0);
  assert.match(on("database") ?? "", /^ok .*sqlite, durable, up to date/);
  assert.match(on("certificate") ?? "", /^ok .*(?:[0-9A-F]{2}:){31}[0-9A-F]{2}, \d+ days left/);
  assert.deepEqual(filesIn(IRONLEASE_DATA), before);

  assert.match(on("statement key") ?? "", /^ok .*statement\.key$/);
  const keys = ["secret.key", "statement.key"].map((name) => join(IRONLEASE_DATA, name));
  for (const key of keys) {
    assert.equal(lstatSync(key).mode & 0o777, 0o600);
    chmodSync(key, 0o644);
  }
  const opened = filesIn(IRONLEASE_DATA);
  const warned = await runDoctor({ IRONLEASE_DATA, IRONLEASE_TLS: "self-signed" });
  for (const subject of ["second factors", "statement key"]) {
    assert.match(warned.on(subject) ?? "", /^BAD .*other users can read .*: chmod 600/);
  }
  assert.match(warned.on("secret files") ?? "", /^ok /, "each key is reported once");
  assert.deepEqual(filesIn(IRONLEASE_DATA), opened);
});

test("a data folder that cannot be created is a problem", async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, "file"), "");
  symlinkSync(join(folder, "nowhere"), join(folder, "link"));
  const paths = [join(folder, "file"), join(folder, "file", "data"), join(folder, "link")];
  if (existsSync("/proc/self")) paths.push("/proc/ironlease");
  for (const IRONLEASE_DATA of paths) {
    const { code, on } = await runDoctor({ IRONLEASE_DATA });
    assert.match(on("data folder") ?? "", /^BAD /, IRONLEASE_DATA);
    assert.equal(code, 1);
  }
});

test("a missing data folder is no problem if the settings do not use it", async (t) => {
  const database = await createMigratedDatabase();
  t.after(() => database.drop());
  const key = join(emptyFolder(t), "statement.key");
  writeFileSync(key, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  const { code, on, lines } = await runDoctor({
    IRONLEASE_DATA: join(emptyFolder(t), "missing"),
    IRONLEASE_STATEMENT_KEY_FILE: key,
    IRONLEASE_DATABASE_URL: database.url,
    IRONLEASE_OPERATOR_LISTEN: "off",
  });
  assert.match(on("data folder") ?? "", /^ok .*not used/);
  assert.equal(code, 0, lines.join("\n"));
});

test("an http origin is a problem unless TLS is off and the origin is on loopback", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  const tls = { IRONLEASE_TLS: "self-signed" };
  for (const [isBad, env] of [
    [true, { IRONLEASE_ORIGIN: "http://rent.example" }],
    [true, { IRONLEASE_OPERATOR_ORIGIN: "https://desk.example,http://desk.example" }],
    [true, { ...tls, IRONLEASE_ORIGIN: "http://localhost:8443" }],
    [false, { IRONLEASE_ORIGIN: "http://localhost:8443,http://[::1]:8443,http://127.0.0.1:1" }],
    [false, { ...tls, IRONLEASE_ORIGIN: "https://rent.example" }],
  ] as const) {
    const { code, on } = await runDoctor({ IRONLEASE_DATA, ...env });
    const expected = isBad ? /^BAD .* has http:.*: set the https:/ : /^ok /;
    assert.match(on("settings") ?? "", expected, JSON.stringify(env));
    assert.equal(code, isBad ? 1 : 0);
  }
});

test("preview-only settings are a note, and the other checks still run", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  for (const env of [
    { IRONLEASE_OPERATOR_PASSWORD: "correct horse battery staple" },
    { IRONLEASE_AUTH_LIMITS: "off" },
    { IRONLEASE_SETTLEMENT: "simulated", IRONLEASE_LISTEN: "0.0.0.0:8443" },
  ]) {
    const { code, on, lines } = await runDoctor({ IRONLEASE_DATA, ...env });
    assert.equal(code, 0);
    assert.match(on("settings") ?? "", /^note .*preview/);
    assert.match(on("database") ?? "", /^ok /);
    assert.equal(
      lines.at(-1),
      "No problems found. These settings work for preview only, not for serve.",
    );
    assert.ok(!lines.join("\n").includes("correct horse"));
  }
});

test("a missing setting that serve needs is a problem, and the other checks still run", async (t) => {
  const IRONLEASE_DATA = emptyFolder(t);
  const { code, on } = await runDoctor({ IRONLEASE_DATA, IRONLEASE_LISTEN: "0.0.0.0:8443" });
  assert.equal(code, 1);
  assert.match(on("settings") ?? "", /^BAD .*IRONLEASE_ORIGIN is required/);
  assert.match(on("database") ?? "", /^ok /);
});

test("every wrong line of a settings file is a finding", async (t) => {
  const file = join(emptyFolder(t), "a.toml");
  writeFileSync(file, 'lisen = "x"\ngrace = "soon"\n');
  const { code, lines } = await ironleased(["doctor", "--config", file], {});
  assert.equal(code, 1);
  assert.match(lines[0] ?? "", /^BAD {2}settings: .*a\.toml:1: lisen is not a setting\./);
  assert.match(lines[1] ?? "", /^BAD {2}settings: .*a\.toml:2: grace must be a time/);
  assert.equal(lines.at(-1), "2 problems found.");
});

/** The database URL for a new role that may only connect. */
async function addRole(t: TestContext, database: TestDatabase): Promise<URL> {
  const { url } = database;
  const role = `doctor_${randomBytes(6).toString("hex")}`;
  await runStatement(url, `create role ${role} login password 'secret'`);
  t.after(async () => {
    await runStatement(url, `drop owned by ${role}`);
    await runStatement(url, `drop role ${role}`);
    await database.drop();
  });
  const address = new URL(url);
  [address.username, address.password] = [role, "secret"];
  return address;
}

test("pending migrations are a problem if the role cannot create tables", async (t) => {
  const empty = await createTestDatabase();
  const address = await addRole(t, empty);
  const env = { IRONLEASE_DATA: emptyFolder(t), IRONLEASE_DATABASE_URL: address.href };
  const line = (await runDoctor(env)).on("database") ?? "";
  assert.match(line, /^BAD .*role doctor_\w+ cannot create tables in schema public/);

  await runStatement(empty.url, `grant create on schema public to ${address.username}`);
  const granted = (await runDoctor(env)).on("database") ?? "";
  assert.match(granted, /^ok .*the next start will apply \d+ pending migrations/);
});

test("pending migrations are a problem if another role owns the tables", async (t) => {
  const database = await createMigratedDatabase();
  const address = await addRole(t, database);
  const env = { IRONLEASE_DATA: emptyFolder(t), IRONLEASE_DATABASE_URL: address.href };
  const all = `all tables in schema public to ${address.username}`;
  await runStatement(database.url, `grant select, insert, update, delete on ${all}`);
  await runStatement(database.url, `grant create on schema public to ${address.username}`);
  assert.match((await runDoctor(env)).on("database") ?? "", /^ok .*up to date/);
  const newest =
    "delete from schema_migrations where name = (select max(name) from schema_migrations)";
  await runStatement(database.url, newest);
  const line = (await runDoctor(env)).on("database") ?? "";
  assert.match(line, /^BAD .*cannot change the tables: run ironleased migrate as their owner/);
});

test("a table that the role cannot use is a problem", async (t) => {
  const database = await createMigratedDatabase();
  const address = await addRole(t, database);
  const env = { IRONLEASE_DATA: emptyFolder(t), IRONLEASE_DATABASE_URL: address.href };
  const all = `all tables in schema public to ${address.username}`;
  await runStatement(database.url, `grant select, insert, update, delete on ${all}`);
  await runStatement(database.url, `revoke insert on orders from ${address.username}`);
  const line = (await runDoctor(env)).on("database") ?? "";
  assert.match(line, /^BAD .*cannot read or write orders: grant/);
  assert.ok(!line.includes("secret"));
});
