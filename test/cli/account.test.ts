import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { promptText } from "#test/prompt-text.ts";
import { password } from "#test/service.ts";
import { ironlease } from "#test/terminal.ts";

describe("an account from the command line", () => {
  let place: CliHarness;
  before(async () => void (place = await openCliHarness()));
  after(() => place.close());

  /** A machine that has never heard of the service. */
  function strange() {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const service = ["--url", place.daemon.url, "--ca", place.ca];
    return { env, service, file: join(env.XDG_CONFIG_HOME, "ironlease", "profiles.json") };
  }

  test("register asks for the password twice and hidden, shows the recovery code and signs in", async () => {
    const { env, service, file } = strange();
    const { code, stdout, stderr, echoed } = await ironlease(["register", ...service], {
      env,
      answers: [
        [/Username: ?$/, "grace\r"],
        [/Password \(10 characters or more\): $/, `${password}\r`],
        [/again: $/, `${password}\r`],
      ],
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /([0-9A-Z]{5}-){4}[0-9A-Z]{5}/);
    assert.match(promptText(stderr), /Username: grace/);
    assert.ok(!`${stdout}${stderr}`.includes(password));
    // The terminal itself showed nothing either: it was in raw mode at every question.
    assert.deepEqual(echoed, [false, false, false]);
    const whoami = await ironlease(["whoami", "--json"], { env });
    assert.deepEqual(JSON.parse(whoami.stdout), {
      ...{ username: "grace", balanceUsd: 0, url: place.daemon.url, profile: "default" },
    });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, "utf8").includes(password));
  });

  test("two passwords that differ open no account", async () => {
    const { env, service } = strange();
    const answers = [
      [/Password \(10 characters or more\): $/, `${password}\r`],
      [/again: $/, `${password}!\r`],
    ] as const;
    const { code, stderr } = await ironlease(["register", "typo", ...service], { env, answers });
    assert.equal(code, 2);
    assert.match(stderr, /do not match/);
    const login = ["login", "typo", ...service, "--password-stdin"];
    assert.equal((await ironlease(login, { env, piped: password })).code, 4);
  });

  test("a script pipes the password in, with or without the end of its line", async () => {
    const { username } = await place.newCustomer();
    for (const piped of [password, `${password}\n`, `${password}\r\n`]) {
      const { env, service } = strange();
      const argv = ["login", username, ...service, "--password-stdin"];
      const { code, stdout, stderr } = await ironlease(argv, { env, piped });
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        new RegExp(`^Signed in to https://.* as ${username} \\(profile default`),
      );
    }
  });

  test("without a terminal and without --password-stdin it refuses instead of waiting", async () => {
    const { env, service } = strange();
    const { code, stderr } = await ironlease(["login", "ada", ...service], { env });
    assert.equal(code, 2);
    assert.match(stderr, /no terminal to ask for a password/);
    assert.match(stderr, /--password-stdin/);
  });

  test("a wrong password is exit 4, with the code and what to do", async () => {
    const { username } = await place.newCustomer();
    const { env, service } = strange();
    const argv = ["login", username, ...service, "--password-stdin"];
    const { code, stdout, stderr } = await ironlease(argv, { env, piped: "not the pass phrase" });
    assert.equal(code, 4);
    assert.equal(stdout, "");
    assert.match(stderr, /^error: /);
    assert.match(stderr, /code invalid_credentials/);
    assert.match(stderr, /ironlease recover/);
  });

  test("with --json an error is JSON on standard error, with the fields at fault", async () => {
    const { env, service } = strange();
    const argv = ["register", "9", ...service, "--password-stdin", "--json"];
    const { code, stdout, stderr } = await ironlease(argv, { env, piped: password });
    assert.equal(code, 3);
    assert.equal(stdout, "");
    const { error } = JSON.parse(stderr);
    assert.deepEqual([error.code, error.exitCode], ["validation_failed", 3]);
    assert.equal(error.fields[0].field, "username");
    assert.match(error.requestId, /./);
  });

  test("logout ends the session at the service and forgets it, and keeps the address", async () => {
    const customer = await place.newCustomer();
    const other = strange();
    const argv = ["login", customer.username, ...other.service, "--password-stdin"];
    await ironlease(argv, { env: other.env, piped: password });
    assert.equal((await ironlease(["logout"], { env: other.env })).code, 0);
    assert.ok(!readFileSync(other.file, "utf8").includes("sessionCookie"));
    const { sessions } = await customer.json(["session", "list"]);
    assert.equal(sessions.length, 1);
    const { code, stderr } = await ironlease(["whoami"], { env: other.env });
    assert.equal(code, 4);
    assert.match(stderr, new RegExp(`Not signed in to ${place.daemon.url}`));
    assert.match(stderr, /ironlease login/);
    const again = ["login", customer.username, "--password-stdin"];
    assert.equal((await ironlease(again, { env: other.env, piped: password })).code, 0);
  });

  test("a session that has ended elsewhere is exit 4 and says to sign in", async () => {
    const customer = await place.newCustomer();
    const other = strange();
    const argv = ["login", customer.username, ...other.service, "--password-stdin"];
    await ironlease(argv, { env: other.env, piped: password });
    const { sessions } = await customer.json(["session", "list"]);
    const theirs = sessions.find(({ current }: { current: boolean }) => !current);
    assert.match(theirs.userAgent, /^ironlease\/\d/);
    const { code, stderr } = await customer.run(["session", "revoke", theirs.id], {
      answers: [[/Revoke the session of ironlease\/.* from .*\? \(y\/N\) ?$/, "y\r"]],
    });
    assert.equal(code, 0, stderr);
    const refused = await ironlease(["whoami"], { env: other.env });
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /authentication_required/);
  });

  test("revoking this very session signs out here, too", async () => {
    const customer = await place.newCustomer();
    const { sessions } = await customer.json(["session", "list"]);
    const { code, stdout } = await customer.run(["session", "revoke", sessions[0].id, "--yes"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Session revoked/);
    const { stderr } = await customer.run(["whoami"]);
    assert.match(stderr, /Not signed in/);
  });

  test("password ends every session, this one too", async () => {
    const customer = await place.newCustomer();
    const renewed = "another pass phrase";
    const { code, stdout, stderr } = await customer.run(["password"], {
      answers: [
        [/Current password: $/, `${password}\r`],
        [/New password \(.*\): $/, `${renewed}\r`],
        [/again: $/, `${renewed}\r`],
      ],
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /All sessions and API keys have ended/);
    assert.equal((await customer.run(["whoami"])).code, 4);
    const login = ["login", customer.username, "--password-stdin"];
    assert.equal((await customer.run(login, { piped: password })).code, 4);
    assert.equal((await customer.run(login, { piped: renewed })).code, 0);
  });

  test("recover sets a new password with the code and shows the next code", async () => {
    const customer = await place.newCustomer();
    const renewed = "another pass phrase";
    const argv = ["recover", customer.username, "--password-stdin"];
    const piped = `${customer.recoveryCode}\n${renewed}\n`;
    const { recoveryCode } = await customer.json(argv, { piped });
    assert.notEqual(recoveryCode, customer.recoveryCode);
    const login = ["login", customer.username, "--password-stdin"];
    assert.equal((await customer.run(login, { piped: renewed })).code, 0);
    const again = await customer.run(argv, { piped });
    assert.equal(again.code, 4);
  });

  test("one line where two are needed sends nothing", async () => {
    const customer = await place.newCustomer();
    const { code, stderr } = await customer.run(["password", "--password-stdin"], {
      piped: password,
    });
    assert.equal(code, 2);
    assert.match(stderr, /one line for each: current password, then new password/);
    assert.equal((await customer.run(["whoami"])).code, 0);
  });

  test("profiles keep two services and two accounts apart", async () => {
    const one = await place.newCustomer();
    const other = await place.newCustomer();
    const { url } = place.daemon;
    const joining = ["login", other.username, "--profile", "work", "--password-stdin"];
    const where = ["--url", url, "--ca", place.ca];
    assert.equal((await one.run([...joining, ...where], { piped: password })).code, 0);
    assert.equal((await one.json(["whoami"])).username, other.username);
    assert.equal((await one.json(["whoami", "--profile", "default"])).username, one.username);
    const { profiles } = await one.json(["profile", "list"]);
    assert.deepEqual(
      profiles.map(({ name, current, username }: Record<string, unknown>) => [
        ...[name, current, username],
      ]),
      [
        ["default", false, one.username],
        ["work", true, other.username],
      ],
    );
    assert.equal((await one.run(["profile", "use", "default"])).code, 0);
    assert.equal((await one.json(["whoami"])).username, one.username);
    assert.equal((await one.run(["profile", "remove", "work"])).code, 0);
    assert.equal((await one.run(["profile", "use", "work"])).code, 2);
  });

  test("a profile that does not exist is exit 2, for every command that would use it", async () => {
    const customer = await place.newCustomer();
    for (const argv of [["whoami"], ["catalogue", "list"], ["login", "ada", "--password-stdin"]]) {
      const { code, stdout, stderr } = await customer.run([...argv, "--profile", "defualt"], {
        piped: password,
      });
      assert.equal(code, 2, argv.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, /No profile named defualt\.\n {2}Did you mean default\?/);
      assert.match(stderr, /ironlease profile list\n$/);
    }
  });

  test("advice is aimed at the service that the command was aimed at", async () => {
    const customer = await place.newCustomer();
    const { env, service } = strange();
    const elsewhere = await ironlease(["whoami", ...service], { env });
    const aim = `--url ${place.daemon.url} --ca ${place.ca}`;
    assert.ok(elsewhere.stderr.includes(`ironlease login ${aim}\n`), elsewhere.stderr);
    const named = ["--profile", "default"];
    const missing = await customer.run(["server", "show", "web1", ...named]);
    assert.match(missing.stderr, /ironlease server list --profile default\n/);
    const poor = await customer.run([
      ...["withdraw", "--usd", "25", "--asset", "BTC", "--to", `sim-btc-${"a".repeat(31)}`],
      ...["--yes", ...named],
    ]);
    assert.match(poor.stderr, /ironlease deposit create BTC --profile default\n/);
    const listed = await customer.run(["server", "list", ...named]);
    assert.match(listed.stdout, /ironlease catalogue list --profile default\n/);
  });
});
