import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { giveContact } from "#test/contacts.ts";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { promptText } from "#test/prompt-text.ts";
import { password } from "#test/service.ts";
import { ironlease } from "#test/terminal.ts";
import { totpCode } from "#test/totp.ts";

describe("an account from the command line", () => {
  let harness: CliHarness;
  before(async () => void (harness = await openCliHarness()));
  after(() => harness.close());

  /** A new configuration folder, without a profile. */
  function newMachine() {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const service = ["--url", harness.daemon.url, "--ca", harness.ca];
    return { env, service, file: join(env.XDG_CONFIG_HOME, "ironlease", "profiles.json") };
  }

  test("register asks twice for a hidden password, shows the recovery code and signs in", async () => {
    const { env, service, file } = newMachine();
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
    // The terminal echoed nothing either, because it was in raw mode at every prompt.
    assert.deepEqual(echoed, [false, false, false]);
    const whoami = await ironlease(["whoami", "--json"], { env });
    assert.deepEqual(JSON.parse(whoami.stdout), {
      username: "grace",
      balanceUsd: 0,
      url: harness.daemon.url,
      profile: "default",
    });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, "utf8").includes(password));
  });

  test("contact set sends a code, contact confirm takes it, contact remove asks first", async () => {
    const customer = await harness.newCustomer();
    const email = `${customer.username}@example.com`;
    const set = await customer.run(["contact", "set", email, "--unsubscribe", "messages"]);
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stdout, /Waiting +\S+@example\.com, for its code/);
    assert.equal((await customer.run(["contact", "set", email, "--unsubscribe", "x"])).code, 2);
    const wrong = await customer.run(["contact", "confirm", "WRONG-WRONG"]);
    assert.match(wrong.stderr, /The code is incorrect[^]*ironlease contact set/);
    await giveContact(harness.core, customer.username, email);
    const shown = await customer.json(["contact", "show"]);
    assert.deepEqual([shown.email, shown.unsubscribed], [email, ["MESSAGES"]]);
    const removed = await customer.run(["contact", "remove"], {
      answers: [[/Remove \S+@example\.com\? \(y\/N\) ?$/, "y\r"]],
    });
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal((await customer.json(["contact", "show"])).email, null);
  });

  test("register with two different passwords exits 2 and creates no account", async () => {
    const { env, service } = newMachine();
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

  test("--password-stdin reads a password with or without a line break", async () => {
    const { username } = await harness.newCustomer();
    for (const piped of [password, `${password}\n`, `${password}\r\n`]) {
      const { env, service } = newMachine();
      const argv = ["login", username, ...service, "--password-stdin"];
      const { code, stdout, stderr } = await ironlease(argv, { env, piped });
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        new RegExp(`^Signed in to https://.* as ${username} \\(profile default`),
      );
    }
  });

  test("login without a terminal and without --password-stdin exits 2", async () => {
    const { env, service } = newMachine();
    const { code, stderr } = await ironlease(["login", "ada", ...service], { env });
    assert.equal(code, 2);
    assert.match(stderr, /no terminal to ask for a password/);
    assert.match(stderr, /--password-stdin/);
  });

  test("a wrong password exits 4 with the error code and advice", async () => {
    const { username } = await harness.newCustomer();
    const { env, service } = newMachine();
    const argv = ["login", username, ...service, "--password-stdin"];
    const { code, stdout, stderr } = await ironlease(argv, { env, piped: "not the pass phrase" });
    assert.equal(code, 4);
    assert.equal(stdout, "");
    assert.match(stderr, /^error: /);
    assert.match(stderr, /code invalid_credentials/);
    assert.match(stderr, /ironlease recover/);
  });

  test("with --json an error is JSON on standard error and names the invalid fields", async () => {
    const { env, service } = newMachine();
    const argv = ["register", "9", ...service, "--password-stdin", "--json"];
    const { code, stdout, stderr } = await ironlease(argv, { env, piped: password });
    assert.equal(code, 3);
    assert.equal(stdout, "");
    const { error } = JSON.parse(stderr);
    assert.deepEqual([error.code, error.exitCode], ["validation_failed", 3]);
    assert.equal(error.fields[0].field, "username");
    assert.match(error.requestId, /./);
  });

  test("logout ends the session, deletes it from the profile and keeps the URL", async () => {
    const customer = await harness.newCustomer();
    const other = newMachine();
    const argv = ["login", customer.username, ...other.service, "--password-stdin"];
    await ironlease(argv, { env: other.env, piped: password });
    assert.equal((await ironlease(["logout"], { env: other.env })).code, 0);
    assert.ok(!readFileSync(other.file, "utf8").includes("sessionCookie"));
    const { sessions } = await customer.json(["session", "list"]);
    assert.equal(sessions.length, 1);
    const { code, stderr } = await ironlease(["whoami"], { env: other.env });
    assert.equal(code, 4);
    assert.match(stderr, new RegExp(`Not signed in to ${harness.daemon.url}`));
    assert.match(stderr, /ironlease login/);
    const again = ["login", customer.username, "--password-stdin"];
    assert.equal((await ironlease(again, { env: other.env, piped: password })).code, 0);
  });

  test("a command with a revoked session exits 4", async () => {
    const customer = await harness.newCustomer();
    const other = newMachine();
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

  test("activity lists sign-ins with their address, and pages on with --after", async () => {
    const customer = await harness.newCustomer();
    const { stdout } = await customer.run(["activity"]);
    assert.match(stdout, /^TIME +ACTION +SUBJECT +IP ADDRESS +ID$/m);
    assert.match(stdout, /account\.register +acc_\w+ +127\.0\.0\.1 +aud_/);
    const { entries } = await customer.json(["activity"]);
    const rest = await customer.json(["activity", "--after", entries.at(-1).id]);
    assert.deepEqual(rest.entries, []);
  });

  test("revoking the current session signs out", async () => {
    const customer = await harness.newCustomer();
    const { sessions } = await customer.json(["session", "list"]);
    const { code, stdout } = await customer.run(["session", "revoke", sessions[0].id, "--yes"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Session revoked/);
    const { stderr } = await customer.run(["whoami"]);
    assert.match(stderr, /Not signed in/);
  });

  test("password ends every session, including the current one", async () => {
    const customer = await harness.newCustomer();
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

  test("recover sets a new password and shows a new recovery code", async () => {
    const customer = await harness.newCustomer();
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

  test("second-factor begin and confirm turn it on, login asks for a code, second-factor remove turns it off", async () => {
    const customer = await harness.newCustomer();
    const { secret, otpauthUri } = await customer.json(["second-factor", "begin"]);
    assert.match(otpauthUri, new RegExp(`^otpauth://totp/.*secret=${secret}`));
    const wrong = await customer.run(["second-factor", "confirm", "none"]);
    assert.equal(wrong.code, 7);
    assert.match(wrong.stderr, /The code is incorrect[^]*ironlease second-factor begin/);
    const codeNow = totpCode(secret, Date.now());
    const { recoveryCodes } = await customer.json(["second-factor", "confirm", codeNow]);
    assert.equal(recoveryCodes.length, 10);
    assert.equal((await customer.json(["whoami"])).secondFactor, "on");

    const login = ["login", customer.username];
    const piped = [...login, "--password-stdin"];
    const missing = await customer.run(piped, { piped: password });
    assert.equal(missing.code, 5);
    assert.match(missing.stderr, /ironlease login --totp CODE/);
    const [first, second, third] = recoveryCodes;
    const asked = await customer.run(login, {
      answers: [
        [/Password: $/, `${password}\r`],
        [/Authentication code: $/, `${first}\r`],
      ],
    });
    assert.equal(asked.code, 0, asked.stderr);
    assert.deepEqual(asked.echoed, [false, false]);
    assert.equal((await customer.run(piped, { piped: `${password}\n${second}\n` })).code, 0);
    const given = [...piped, "--totp", third];
    assert.equal((await customer.run(given, { piped: password })).code, 0);
    assert.equal((await customer.run(given, { piped: password })).code, 4, "used already");

    assert.equal((await customer.run(["second-factor", "remove", "--yes"])).code, 0);
    assert.equal((await customer.run(piped, { piped: password })).code, 0);
  });

  test("password with one input line instead of two exits 2 and changes nothing", async () => {
    const customer = await harness.newCustomer();
    const { code, stderr } = await customer.run(["password", "--password-stdin"], {
      piped: password,
    });
    assert.equal(code, 2);
    assert.match(stderr, /one line for each: current password, then new password/);
    assert.equal((await customer.run(["whoami"])).code, 0);
  });

  test("each profile has its own account, and profile use switches between them", async () => {
    const one = await harness.newCustomer();
    const other = await harness.newCustomer();
    const { url } = harness.daemon;
    const login = ["login", other.username, "--profile", "work", "--password-stdin"];
    const where = ["--url", url, "--ca", harness.ca];
    assert.equal((await one.run([...login, ...where], { piped: password })).code, 0);
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

  test("account export writes a private file once, and account close ends the account", async () => {
    const customer = await harness.newCustomer();
    const out = join(temporaryFolder(), "account.json");
    const exporting = ["account", "export", "--out", out];
    assert.equal((await customer.run(exporting)).code, 0);
    assert.equal(statSync(out).mode & 0o777, 0o600);
    const { account } = JSON.parse(readFileSync(out, "utf8")) as { account: { username: string } };
    assert.equal(account.username, customer.username);
    assert.notEqual((await customer.run(exporting)).code, 0, "the file exists");
    const closing = ["account", "close", "--password-stdin"];
    const unconfirmed = await customer.run(closing, { piped: password });
    assert.equal(unconfirmed.code, 2, unconfirmed.stderr);
    const closed = await customer.run([...closing, "--yes"], { piped: password });
    assert.equal(closed.code, 0, closed.stderr);
    assert.match(closed.stdout, /^Account closed\./);
    assert.equal((await customer.run(["whoami"])).code, 4);
  });

  test("an unknown profile exits 2 for every command", async () => {
    const customer = await harness.newCustomer();
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

  test("suggested commands repeat the --url, --ca and --profile of the failed command", async () => {
    const customer = await harness.newCustomer();
    const { env, service } = newMachine();
    const elsewhere = await ironlease(["whoami", ...service], { env });
    const target = `--url ${harness.daemon.url} --ca ${harness.ca}`;
    assert.ok(elsewhere.stderr.includes(`ironlease login ${target}\n`), elsewhere.stderr);
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
