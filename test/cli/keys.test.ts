import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { ironlease } from "#test/terminal.ts";

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop";

describe("keys, scripts and api", () => {
  let harness: CliHarness;
  let customer: Customer;
  before(async () => {
    harness = await openCliHarness();
    customer = await harness.newCustomer();
  });
  after(() => harness.close());

  /** Runs `ironlease` with an API key and a URL only, without a profile. */
  async function scriptWith(scope: string) {
    const { key } = await customer.json(["key", "create", `script-${scope}`, "--scope", scope]);
    const env = {
      IRONLEASE_API_KEY: key as string,
      IRONLEASE_URL: harness.daemon.url,
      XDG_CONFIG_HOME: temporaryFolder(),
    };
    return (...argv: string[]) => ironlease([...argv, "--ca", harness.ca], { env });
  }

  test("key create shows the value once, key list shows its prefix, key revoke takes its name", async () => {
    const argv = ["key", "create", "monitoring", "--scope", "SERVERS", "--expires", "90d"];
    const created = await customer.run(argv);
    const value = /^Key +(svk_\w{36})$/m.exec(created.stdout)?.[1] ?? "";
    assert.notEqual(value, "", created.stderr);
    assert.match(created.stdout, /shown only once/);
    const listed = await customer.run(["key", "list"]);
    assert.match(listed.stdout, /monitoring +servers +svk_\w+ /);
    assert.ok(!listed.stdout.includes(value));
    const revoked = await customer.run(["key", "revoke", "monitoring"], {
      answers: [[/Revoke the API key monitoring \(svk_\w+…\)\? \(y\/N\) ?$/, "y\r"]],
    });
    assert.equal(revoked.code, 0, revoked.stderr);
    assert.equal((await customer.run(["key", "revoke", "monitoring", "--yes"])).code, 6);
  });

  test("--expires takes a date or a number of days", async () => {
    const create = (expires: string) =>
      customer.run(["key", "create", expires, "--scope", "read", "--expires", expires, "--json"]);
    const dated = JSON.parse((await create("2099-01-31")).stdout);
    assert.equal(dated.expiresAt, "2099-01-31T00:00:00.000Z");
    assert.equal((await create("tomorrow")).code, 2);
    assert.equal((await create("2099-13-01")).code, 2);
    assert.equal((await create("2001-01-01")).code, 3);
  });

  test("with IRONLEASE_API_KEY a script reads what the key's scope covers", async () => {
    const read = await scriptWith("read");
    assert.equal((await read("server", "list", "--json")).stdout, '{\n  "servers": []\n}\n');
    assert.equal((await read("order", "list")).code, 0);
    const billing = await scriptWith("billing");
    assert.equal((await billing("ledger", "list", "--get", "balanceUsd")).stdout, "0\n");
    const refused = await billing("server", "list");
    assert.equal(refused.code, 5);
    assert.match(refused.stderr, /insufficient_scope/);
    const network = await scriptWith("servers");
    assert.equal((await network("network", "list")).code, 0);
  });

  test("with a key no change is ever sent, and it is said why", async () => {
    const script = await scriptWith("read");
    for (const argv of [
      ["deposit", "create", "BTC"],
      ["withdraw", "--usd", "25", "--asset", "BTC", "--to", "sim-btc-x", "--yes"],
      ["whoami"],
      ["api", "POST", "/api/v1/deposit-addresses", "--data", '{"asset":"BTC"}'],
    ]) {
      const { code, stderr } = await script(...argv);
      assert.equal(code, 5, argv.join(" "));
      assert.match(stderr, /Unset IRONLEASE_API_KEY/);
    }
  });

  test("a key that is not one any more is exit 4", async () => {
    const script = await scriptWith("read");
    for (const { id, name } of (await customer.json(["key", "list"])).apiKeys) {
      if (name === "script-read") await customer.run(["key", "revoke", id, "--yes"]);
    }
    const { code, stderr } = await script("server", "list");
    assert.equal(code, 4);
    assert.match(stderr, /The key in IRONLEASE_API_KEY is unknown, revoked or expired/);
  });

  test("SSH keys are added from a file, listed and removed", async () => {
    const file = join(harness.folder, "id.pub");
    writeFileSync(file, `${publicKey}\n`);
    const added = await customer.run(["ssh-key", "add", "laptop", "id.pub"], {
      cwd: harness.folder,
    });
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /^Fingerprint +SHA256:/m);
    assert.match((await customer.run(["ssh-key", "list"])).stdout, /laptop +SHA256:/);
    const refused = await customer.run(["ssh-key", "remove", "laptop"]);
    assert.equal(refused.code, 2);
    assert.equal((await customer.run(["ssh-key", "remove", "laptop", "--yes"])).code, 0);
    writeFileSync(file, "-----BEGIN RSA PRIVATE KEY-----\n");
    const secret = await customer.run(["ssh-key", "add", "oops", file]);
    assert.equal(secret.code, 2);
    assert.match(secret.stderr, /private key\. Nothing was sent[\s\S]*id\.pub\.pub/);
    assert.equal((await customer.run(["ssh-key", "add", "none", "/nowhere.pub"])).code, 2);
  });

  test("control characters in a name are escaped", async () => {
    const name = "\u001b[2Jevil\u202e\u009b31m";
    await customer.json(["key", "create", name, "--scope", "read"]);
    const { stdout } = await customer.run(["key", "list"]);
    assert.match(stdout, /\\u001b\[2Jevil\\u202e\\u009b31m/);
    const json = await customer.run(["key", "list", "--json"]);
    assert.doesNotMatch(json.stdout, /[\u001b\u009b\u202e]/);
    const { apiKeys } = JSON.parse(json.stdout) as { apiKeys: { name: string }[] };
    assert.ok(apiKeys.some((key) => key.name === name));
  });

  test("api calls any operation by method and path, with idempotency keys", async () => {
    const health = await customer.json(["api", "get", "/api/health"]);
    assert.equal(health.status, "ok");
    const path =
      "/api/v1/quote?configId=metal-s&regionId=fra&osId=debian-13&term=weekly&quantity=1";
    assert.ok((await customer.json(["api", "GET", path])).totalUsd > 0);
    const key = ["--idempotency-key", "api-deposit-1"];
    const argv = ["api", "POST", "/api/v1/deposit-addresses", ...key, "--data"];
    const first = await customer.json([...argv, '{"asset":"BTC"}']);
    const again = await customer.json([...argv, "-"], { piped: '{"asset":"BTC"}' });
    assert.deepEqual([again.address, again.isReplay], [first.address, true]);
    const file = join(harness.folder, "body.json");
    writeFileSync(file, '{"asset":"LTC"}');
    assert.equal((await customer.run([...argv, `@${file}`])).code, 8);
    const { id } = await customer.json(["key", "create", "short-lived", "--scope", "read"]);
    const removed = await customer.run(["api", "DELETE", `/api/v1/api-keys/${id}`]);
    assert.deepEqual([removed.code, removed.stdout], [0, ""]);
    // A page of the console has this path.
    assert.ok(Array.isArray((await customer.json(["api", "GET", "servers?state=ACTIVE"])).servers));
    assert.equal((await customer.json(["api", "GET", "api/health"])).status, "ok");
  });

  test("api sends paths that are not in the operation table", async () => {
    const whole = await customer.json(["api", "GET", `${harness.daemon.url}/api/health`]);
    assert.equal(whole.status, "ok");
    assert.match((await customer.json(["api", "GET", "/api/openapi.json"])).openapi, /^3\.1/);
    assert.match((await customer.run(["api", "GET", "/docs"])).stdout, /^<!doctype html>\n/i);
    const { code, stderr } = await customer.run(["api", "GET", "/api/v1/server?of=mine"]);
    assert.equal(code, 6);
    assert.match(stderr, /mean GET \/api\/v1\/servers\?/);
    assert.match(stderr, /code not_found, request /);
    const change = ["api", "PATCH", "/api/v1/servers", "--data", "{}"];
    assert.match((await customer.run(change)).stderr, /code method_not_allowed/);
  });

  test("api refuses other hosts, session operations and invalid arguments with exit 2", async () => {
    const refused = async (...argv: string[]) => {
      const { code, stderr } = await customer.run(["api", ...argv]);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    for (const path of ["https://elsewhere.example/api/health", "//elsewhere.example/api/health"]) {
      assert.match(await refused("GET", path), /is not a path of https:\/\/localhost/);
    }
    assert.match(await refused("TRACE", "/api/health"), /METHOD must be one of GET/);
    assert.match(await refused("POST", "/api/v1/auth/logout"), /change the saved session/);
    assert.match(await refused("GET", "/api/health", "--data", "{}"), /takes no body/);
    assert.match(
      await refused("GET", "/api/health", "--idempotency-key", "12345678"),
      /takes no idempotency key/,
    );
    assert.match(
      await refused("POST", "/api/v1/deposit-addresses", "--data", "[1"),
      /must be a JSON object/,
    );
  });

  test("--get prints one field, and exits 6 with a suggestion if it is missing", async () => {
    const { stdout } = await customer.run(["whoami", "--get", "username"]);
    assert.equal(stdout, `${customer.username}\n`);
    const { code, stderr } = await customer.run(["whoami", "--get", "usernmae"]);
    assert.equal(code, 6);
    assert.match(
      stderr,
      /No field usernmae\. The response has username, balanceUsd, url, profile\./,
    );
    assert.match(stderr, /Did you mean username\?/);
    const empty = await customer.run(["server", "list", "--get", "servers.0.id"]);
    assert.equal(empty.code, 6);
    assert.match(empty.stderr, /No field servers\.0\.id\. servers has 0 items\./);
  });

  test("--get of an unknown field exits 2 before the change is sent", async () => {
    const create = ["key", "create", "mistyped", "--scope", "read", "--get"];
    const { code, stdout, stderr } = await customer.run([...create, "kye"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /--get must be one of id, name, .*, not kye\.\n {2}Did you mean key\?/);
    const { stdout: listed } = await customer.run(["key", "list"]);
    assert.doesNotMatch(listed, /mistyped/);
    assert.match((await customer.run([...create, "key"])).stdout, /^svk_\w{36}\n$/);
    const deep = await customer.run([...create, "key.value"]);
    assert.equal(deep.code, 6);
    assert.doesNotMatch(deep.stderr, /svk_/);
  });

  test("if a key's value cannot be written, the error says to revoke it and shows the value only on a terminal", async () => {
    const flushError = Object.assign(new Error("full"), { code: "ENOSPC" });
    const create = ["key", "create", "lost", "--scope", "read", "--profile", "default"];
    const { code, stderr } = await customer.run(create, { flushError });
    assert.equal(code, 1);
    const [, id = ""] =
      /API key (key_\w+) was created, but its value could not be written/.exec(stderr) ?? [];
    assert.match(stderr, new RegExp(`ironlease key revoke ${id} --yes --profile default\n`));
    assert.doesNotMatch(stderr, /svk_/);
    const seen = await customer.run(create, { flushError, answers: [] });
    assert.equal(seen.code, 1);
    assert.match(seen.stderr, /shown here instead, only once: svk_\w{36}/);
    assert.equal((await customer.run(["key", "revoke", id, "--yes"])).code, 0);
  });

  test("if the response to a change cannot be written, the error has its idempotency key", async () => {
    const flushError = Object.assign(new Error("full"), { code: "ENOSPC" });
    const argv = ["deposit", "create", "BTC", "--json"];
    const { code, stderr } = await customer.run(argv, { flushError });
    assert.equal(code, 1);
    const { error } = JSON.parse(stderr);
    assert.match(error.message, /The change was made, but the response could not be written/);
    const again = [...argv.slice(0, -1), "--idempotency-key", error.idempotencyKey];
    assert.equal((await customer.json(again)).isReplay, true);
  });

  test("a file that cannot be read is refused with the reason", async () => {
    const { folder } = harness;
    for (const [path, sentence] of [
      [join(folder, "none.pub"), /none\.pub does not exist\./],
      [folder, / is a folder\./],
    ] as const) {
      const { code, stderr } = await customer.run(["ssh-key", "add", "unread", path]);
      assert.equal(code, 2);
      assert.match(stderr, sentence);
    }
  });

  test("ssh-key add refuses a duplicate name, and ssh-key remove needs an id if a name is ambiguous", async () => {
    const file = join(harness.folder, "twice.pub");
    writeFileSync(file, publicKey);
    const add = ["ssh-key", "add", "twice", file];
    const first = await customer.json(add);
    const again = await customer.run(add);
    assert.equal(again.code, 7);
    assert.match(again.stderr, /named twice already exists \(SHA256:.*Nothing was sent/);
    const data = JSON.stringify({ name: "twice", publicKey });
    const second = await customer.json(["api", "POST", "/api/v1/ssh-keys", "--data", data]);
    const { code, stderr } = await customer.run(["ssh-key", "remove", "twice", "--yes"]);
    assert.equal(code, 2);
    assert.match(stderr, /2 saved SSH keys are named twice/);
    assert.ok(stderr.includes(first.id) && stderr.includes(second.id));
    for (const { id } of [first, second]) {
      assert.equal((await customer.run(["ssh-key", "remove", id, "--yes"])).code, 0);
    }
  });
});
