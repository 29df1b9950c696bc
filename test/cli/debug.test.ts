import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { password } from "#test/service.ts";

describe("--debug", () => {
  let harness: CliHarness;
  let customer: Customer;
  before(async () => {
    harness = await openCliHarness();
    customer = await harness.newCustomer();
  });
  after(() => harness.close());

  test("prints requests and responses to standard error, and the result to standard output", async () => {
    const plain = await customer.run(["server", "list", "--json"]);
    const { code, stdout, stderr } = await customer.run(["server", "list", "--json", "--debug"]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, plain.stdout);
    assert.match(stderr, /^> GET https:\/\/localhost:\d+\/api\/v1\/servers$/m);
    assert.match(stderr, /^> cookie: \*\*\*$/m);
    assert.match(stderr, /^< 200 after \d+ ms, request \S+$/m);
    assert.match(stderr, /^<\s+"servers": \[\]$/m);
  });

  test("masks every secret of a session, a key, a webhook and a second factor", async () => {
    const file = join(customer.env["XDG_CONFIG_HOME"] ?? "", "ironlease", "profiles.json");
    const other = `${password} 2`;
    const runs = [
      await customer.run(["login", customer.username, "--password-stdin", "--debug"], {
        piped: `${password}\n`,
      }),
      await customer.run(["key", "create", "script", "--scope", "read", "--json", "--debug"]),
      await customer.run(["webhook", "create", "https://127.0.0.1:1/", "--json", "--debug"]),
      await customer.run(["second-factor", "begin", "--json", "--debug"]),
      await customer.run(["recover", customer.username, "--json", "--password-stdin", "--debug"], {
        piped: `${customer.recoveryCode}\n${other}\n`,
      }),
    ];
    const errors = runs.map(({ stderr }) => stderr).join("\n");
    const secrets = [password, other, customer.recoveryCode];
    for (const { code, stdout } of runs.slice(1)) {
      assert.equal(code, 0, errors);
      const answer = JSON.parse(stdout);
      const found = ["key", "secret", "otpauthUri", "recoveryCode"].map((name) => answer[name]);
      secrets.push(...found.filter((secret) => typeof secret === "string"));
    }
    assert.equal(secrets.length, 3 + 5);
    const { profiles } = JSON.parse(readFileSync(file, "utf8"));
    const { session } = profiles.default;
    secrets.push(session.csrfToken, session.sessionCookie, session.csrfCookie);
    for (const secret of secrets) {
      assert.ok(secret.length > 5);
      assert.ok(!errors.includes(secret), secret);
    }
    assert.match(errors, /^>\s+"password": "\*\*\*"/m);
  });

  test("an error keeps its code, and a service that is down says so", async () => {
    const refused = await customer.run(["api", "GET", "/api/v1/nothing", "--debug"]);
    assert.match(refused.stderr, /^<\s+"code": "not_found"/m);
    const down = ["catalogue", "list", "--url", "https://127.0.0.1:1", "--timeout", "1", "--debug"];
    assert.match((await customer.run(down)).stderr, /^< no response after \d+ ms: .*ECONNREFUSED/m);
  });
});
