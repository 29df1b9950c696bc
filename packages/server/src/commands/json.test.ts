import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { nameOf } from "@ironlease/command-line";
import { parse } from "yaml";
import { ironleased as commandLine } from "#test/ironleased.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { run } from "./run.ts";
import { ironleased } from "./index.ts";

/** Commands without `--json`, and why. */
const withoutJson: Readonly<Record<string, string>> = {
  preview: "runs until it is stopped",
  serve: "runs until it is stopped",
  bundle: "prints the path of the tarball",
  completion: "prints a script",
  "machines export": "prints JSON with --format json",
  "catalogue export": "prints JSON",
};

let service: TestService;
let env: Readonly<Record<string, string>>;
let address: string;

before(async () => {
  const IRONLEASE_DATA = temporaryFolder();
  env = { IRONLEASE_DATA };
  service = await startTestService("sqlite", { settings: { IRONLEASE_DATA } });
  const ada = await service.register("ada");
  const { json } = await ada.send("POST", "/api/v1/deposit-addresses", {
    body: { asset: "BTC" },
    headers: { "idempotency-key": "json-address" },
  });
  address = json.address;
  await commandLine(["operator", "add", "ops", "--role", "admin"], env);
});
after(() => service.close());

async function runJson(line: string, format: readonly string[] = ["--json"]) {
  const [out, err]: string[][] = [[], []];
  const code = await run([...line.split(" "), ...format], {
    env,
    stdout: { write: (text) => void out?.push(text) },
    stderr: { write: (text) => void err?.push(text) },
  });
  return { code, stdout: out?.join("") ?? "", stderr: err?.join("") ?? "" };
}

const file = (name: string, text: string) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
};

const catalogue = new URL("preview/demo-catalogue.json", import.meta.url).pathname;

/** One use of each command that prints a document, in an order in which they work. */
const uses = (): Readonly<Record<string, string>> => ({
  migrate: "migrate",
  "catalogue import": `catalogue import ${catalogue}`,
  "operator add": "operator add eve",
  "operator list": "operator list",
  "operator role": "operator role eve finance",
  "operator networks": "operator networks eve --only 203.0.113.0/24",
  "operator reset": "operator reset eve",
  "operator disable": "operator disable eve",
  "operator enable": "operator enable eve",
  "account show": "account show ada",
  "account sign-out": "account sign-out ada",
  "machines list": "machines list",
  "machines import": `machines import ${file("machines.csv", "assetTag,configId,regionId\nJ-1,metal-s,fra\n")}`,
  "renewals run": "renewals run --dry-run",
  "simulate-payment": `simulate-payment ${address} 0.01`,
  backup: `backup ${join(temporaryFolder(), "copy.db")}`,
  verify: "verify",
  "liabilities run": "liabilities run",
  doctor: "doctor",
  settings: "settings",
});

test("with --json, every command that prints data prints one document with its fields", async () => {
  const used = uses();
  for (const command of ironleased.commands) {
    const name = nameOf(command);
    if (name in withoutJson) {
      assert.ok(!("json" in (command.options ?? {})), name);
      continue;
    }
    // test/chains runs it on a real chain.
    if (name === "settlement sweep-list") continue;
    assert.ok(name in used, `${name} needs --json and a use here`);
  }
  for (const [name, line] of Object.entries(used)) {
    const command = ironleased.commands.find((candidate) => nameOf(candidate) === name);
    const { code, stdout, stderr } = await runJson(line);
    assert.deepEqual([name, code, stderr], [name, 0, ""]);
    assert.deepEqual(Object.keys(JSON.parse(stdout) as object), command?.fields, name);
  }
});

test("with --json, an error is JSON on standard error and standard output stays empty", async () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ["operator disable ops", 1, /^ops is the last enabled admin\. Add another admin first\.$/],
    ["account show no-such", 1, /^There is no account no-such\.$/],
    ["account show", 2, /^NAME is required/],
    ["machines list --state BROKEN", 2, /^--state must be one of FREE, /],
    ["catalogue import /no/such.json", 1, /no such file\nNothing was imported\.$/],
    [
      "settings --config /no/such.toml",
      1,
      /^--config names \/no\/such\.toml, which does not exist\.$/,
    ],
    ["settlement sweep-list", 1, /^IRONLEASE_SETTLEMENT names no settlement file/],
  ];
  for (const [line, exitCode, message] of cases) {
    const { code, stdout, stderr } = await runJson(line);
    assert.deepEqual([line, code, stdout], [line, exitCode, ""]);
    const { error } = JSON.parse(stderr) as { error: { exitCode: number; message: string } };
    assert.equal(error.exitCode, exitCode, line);
    assert.match(error.message, message);
  }
});

test("verify --json prints the document with exit code 1 when an invariant is broken", async () => {
  await service.register("mallory");
  const accounts = service.core.db.read.selectFrom("accounts").select("id");
  const { id } = await accounts.where("username", "=", "mallory").executeTakeFirstOrThrow();
  await service.core.db.write(async (tx) => {
    const balance = tx.updateTable("balances").set({ available_cents: 5 });
    await balance.where("account_id", "=", id).execute();
    return { ok: true, value: undefined };
  });
  const { code, stdout } = await runJson("verify");
  assert.equal(code, 1);
  const { holds, invariants } = JSON.parse(stdout) as {
    holds: boolean;
    invariants: { number: number; offenders: { subject: string }[] }[];
  };
  assert.equal(holds, false);
  const balances = invariants.find(({ number }) => number === 2);
  assert.deepEqual(
    balances?.offenders.map(({ subject }) => subject),
    [id],
  );
});

test("--output yaml prints the same as --json, and only JSON has errors as JSON", async () => {
  const json = await runJson("operator list");
  const yaml = await runJson("operator list", ["--output", "yaml"]);
  assert.equal(yaml.code, 0, yaml.stderr);
  assert.deepEqual(parse(yaml.stdout), JSON.parse(json.stdout));
  const wrong = await runJson("operator disable nobody", ["--output", "json"]);
  assert.equal(wrong.code, 1);
  assert.equal(JSON.parse(wrong.stderr).error.exitCode, 1);
  const plain = await runJson("operator disable nobody", ["--output", "yaml"]);
  assert.deepEqual([plain.code, plain.stdout], [1, ""]);
  assert.match(plain.stderr, /^\w[^{]*\n$/);
});

test("--output csv and --columns print lists, and other documents are one line", async () => {
  const named = ["--columns", "role,username"];
  const csv = await runJson("operator list", ["--output", "csv", ...named]);
  assert.equal(csv.code, 0, csv.stderr);
  const [header, ...rows] = csv.stdout.trimEnd().split("\n");
  assert.equal(header, "role,username");
  assert.ok(rows.includes("admin,ops"));
  const { stdout } = await runJson("operator list", named);
  assert.match(stdout, /^ROLE +NAME\n/);
  assert.match(stdout, /^admin +ops$/m);
  assert.match((await runJson("settings", ["--output", "csv"])).stdout, /^name,value,source\n/);
  const account = await runJson("account show ada", ["--output", "csv"]);
  assert.match(account.stdout, /^id,username,state,[^\n]*\nacc_\w+,ada,OPEN,[^\n]*\n$/);
  assert.match((await runJson("operator list", ["--output", "table"])).stdout, /^NAME +ROLE /);
});

test("wrong columns and two formats at once are refused", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["operator list --columns rol", /No column "rol"\. Columns: username, role/],
    ["operator list --json --output csv", /--json and --output cannot be combined/],
    ["operator list --json --columns role", /--columns is for tables and CSV/],
    ["account show ada --columns id", /--columns/],
  ];
  for (const [line, message] of cases) {
    const { code, stdout, stderr } = await runJson(line, []);
    assert.deepEqual([line, code, stdout], [line, 2, ""]);
    assert.match(stderr, message);
  }
});
