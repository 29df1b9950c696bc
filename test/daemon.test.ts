import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { join } from "node:path";
import { describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { runIronleased, startIronleased, temporaryFolder } from "#test/daemon.ts";
import { customerOf, password } from "#test/service.ts";
import { createTestDatabase } from "#test/test-database.ts";
import type { Engine } from "#server/ports/db.ts";

async function newDatabase(
  engine: Engine,
): Promise<{ IRONLEASE_DATA: string } & Record<string, string>> {
  const IRONLEASE_DATA = temporaryFolder();
  if (engine === "sqlite") return { IRONLEASE_DATA };
  return { IRONLEASE_DATA, IRONLEASE_DATABASE_URL: (await createTestDatabase()).url };
}

forEachEngine((engine) => {
  describe("ironleased", () => {
    test("preview prints its URLs and fingerprint, and starts again on the same data", async () => {
      const env = await newDatabase(engine);
      const first = await startIronleased("preview", env);
      assert.match(first.output(), /Ironlease is running at https:\/\/localhost:\d+/);
      assert.match(first.output(), /\/docs/);
      assert.match(first.output(), /([0-9A-F]{2}:){31}[0-9A-F]{2}/);
      const registered = await first.send("POST", "/api/v1/auth/register", {
        body: { username: "ada", password },
      });
      const ada = customerOf(first.send, registered, "ada");
      assert.equal(await first.stop(), 0);

      const second = await startIronleased("preview", env);
      const me = await second.send("GET", "/api/v1/me", { headers: { cookie: ada.cookie } });
      assert.equal(me.json.username, "ada");
      assert.equal(await second.stop("SIGINT"), 0);
    });

    test("SIGTERM lets every accepted request finish and exits 0", async () => {
      const daemon = await startIronleased("preview", {
        ...(await newDatabase(engine)),
        IRONLEASE_AUTH_LIMITS: "off",
      });
      // Password hashing is slow, so most of these are still in flight when the signal arrives.
      const answers = Array.from({ length: 8 }, (_, index) =>
        daemon.send("POST", "/api/v1/auth/register", {
          body: { username: `drain${index}`, password },
        }),
      );
      await Promise.race(answers);
      const ended = daemon.stop();
      const statuses = (await Promise.all(answers)).map((answer) => answer.status);
      assert.deepEqual(
        statuses,
        statuses.map(() => 201),
      );
      assert.equal(await ended, 0);
    });

    test("kill -9 loses no acknowledged write", async () => {
      const env = await newDatabase(engine);
      const settings = { ...env, IRONLEASE_AUTH_LIMITS: "off" };
      const daemon = await startIronleased("preview", settings);
      const acknowledged: string[] = [];
      const requests = Array.from({ length: 12 }, async (_, index) => {
        const username = `crash${index}`;
        const answer = await daemon.send("POST", "/api/v1/auth/register", {
          body: { username, password },
        });
        if (answer.status === 201) acknowledged.push(username);
        if (acknowledged.length === 4) daemon.child.kill("SIGKILL");
      });
      await Promise.allSettled(requests);
      assert.ok(acknowledged.length >= 4);
      const again = await startIronleased("preview", settings);
      for (const username of acknowledged) {
        const answer = await again.send("POST", "/api/v1/auth/login", {
          body: { username, password },
        });
        assert.equal(answer.status, 200, username);
      }
      await again.stop();
    });

    test("two processes on one database share sessions and usernames", async () => {
      const env = await newDatabase(engine);
      const [left, right] = await Promise.all([
        startIronleased("preview", env),
        startIronleased("preview", env),
      ]);
      const registered = await left.send("POST", "/api/v1/auth/register", {
        body: { username: "both", password },
      });
      const both = customerOf(right.send, registered, "both");
      assert.equal((await both.send("GET", "/api/v1/me")).status, 200);
      const names = Array.from({ length: 8 }, (_, index) => `shared${index}`);
      const answers = await Promise.all(
        names.flatMap((username) =>
          [left, right].map((daemon) =>
            daemon.send("POST", "/api/v1/auth/register", { body: { username, password } }),
          ),
        ),
      );
      assert.equal(answers.filter((answer) => answer.status === 201).length, 8);
      assert.equal(answers.filter((answer) => answer.status === 409).length, 8);
      assert.equal((await both.send("POST", "/api/v1/auth/logout")).status, 204);
      assert.equal(
        (await left.send("GET", "/api/v1/me", { headers: { cookie: both.cookie } })).status,
        401,
      );
      assert.deepEqual(await Promise.all([left.stop(), right.stop()]), [0, 0]);
    });

    test("migrate applies the migrations, and again reports up to date", async () => {
      const env = await newDatabase(engine);
      const first = await runIronleased(["migrate"], env);
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, /Applied 0001-access/);
      const second = await runIronleased(["migrate"], env);
      assert.match(second.stdout, /up to date/);
    });

    test("migrate and doctor run with settings that only serve refuses", async () => {
      const env = {
        ...(await newDatabase(engine)),
        IRONLEASE_OPERATOR_PASSWORD: password,
        IRONLEASE_AUTH_LIMITS: "off",
      };
      const migrated = await runIronleased(["migrate"], env);
      assert.equal(migrated.code, 0, migrated.stderr);
      const examined = await runIronleased(["doctor"], env);
      assert.equal(examined.code, 0, examined.stdout);
      const served = await runIronleased(["serve"], env);
      assert.equal(served.code, 1);
      assert.match(served.stderr, /IRONLEASE_AUTH_LIMITS.*\n.*IRONLEASE_OPERATOR_PASSWORD/);
    });

    test("the log of a start and a stop has the settings without secrets", async () => {
      const env = { ...(await newDatabase(engine)), IRONLEASE_GRACE: "24h" };
      const daemon = await startIronleased("preview", {
        ...env,
        IRONLEASE_OPERATOR_PASSWORD: "horse battery staple correct",
      });
      assert.equal(await daemon.stop("SIGTERM"), 0);
      const entries = daemon
        .output()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line));
      const starting = entries.find(({ msg }) => msg === "starting");
      assert.deepEqual(starting.settings, {
        ...env,
        ...(engine === "postgres" ? { IRONLEASE_DATABASE_URL: "(secret)" } : {}),
        IRONLEASE_LISTEN: "127.0.0.1:0",
        IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
        IRONLEASE_OPERATOR_PASSWORD: "(secret)",
      });
      const stopping = entries.find(({ msg }) => msg === "stopping");
      assert.equal(stopping.signal, "SIGTERM");
      assert.equal(entries.at(-1).msg, "stopped");
      assert.doesNotMatch(daemon.output(), /horse battery staple/);
    });

    test("doctor finds no problem after a start", async () => {
      const env = await newDatabase(engine);
      await (await startIronleased("preview", env)).stop();
      const { code, stdout } = await runIronleased(["doctor"], env);
      assert.equal(code, 0, stdout);
      assert.match(stdout, new RegExp(`ok {3}database: ${engine}`));
      assert.match(stdout, /No problems found\./);
    });
  });
});

describe("settings", () => {
  const refused: [string, Record<string, string>, RegExp][] = [
    ["an unknown variable", { IRONLEASE_PORT: "1" }, /IRONLEASE_PORT is not a setting/],
    [
      "a bad address",
      { IRONLEASE_LISTEN: "8443" },
      /IRONLEASE_LISTEN must be an address and a port.*"8443"/,
    ],
    ["a bad level", { IRONLEASE_LOG_LEVEL: "loud" }, /IRONLEASE_LOG_LEVEL must be one of/],
    [
      "a public listener without an origin",
      { IRONLEASE_LISTEN: "0.0.0.0:0" },
      /IRONLEASE_ORIGIN is required/,
    ],
    [
      "limits switched off",
      { IRONLEASE_AUTH_LIMITS: "off" },
      /IRONLEASE_AUTH_LIMITS is off, which only preview allows/,
    ],
    ["a simulated settlement", { IRONLEASE_SETTLEMENT: "simulated" }, /only preview allows/],
    [
      "a missing certificate",
      { IRONLEASE_TLS: "/nowhere/c.pem,/nowhere/k.pem" },
      /\/nowhere\/c\.pem/,
    ],
    [
      "a data folder that cannot be created",
      { IRONLEASE_DATA: "/dev/null/data" },
      /The folder \/dev\/null\/data cannot be created/,
    ],
    [
      "a database that does not answer",
      { IRONLEASE_DATABASE_URL: "postgres://127.0.0.1:1/none" },
      /PostgreSQL does not answer: connect ECONNREFUSED 127\.0\.0\.1:1\. Check the server/,
    ],
  ];
  for (const [what, env, sentence] of refused) {
    test(`serve does not start with ${what}, and prints the reason without a stack trace`, async () => {
      const { code, stderr } = await runIronleased(["serve"], {
        IRONLEASE_DATA: temporaryFolder(),
        ...env,
      });
      assert.equal(code, 1);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }

  test("an error about a secret setting does not show its value", async () => {
    const env = {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_DATABASE_URL: "mysql://u:hunter2@h/d",
    };
    const { stderr } = await runIronleased(["serve"], env);
    assert.match(stderr, /IRONLEASE_DATABASE_URL must be a postgres/);
    assert.doesNotMatch(stderr, /hunter2/);
  });

  test("doctor reports a damaged database and exits 1", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "ironlease.db"),
      "this is not a database, not even remotely, but long enough",
    );
    const { code, stdout } = await runIronleased(["doctor"], { IRONLEASE_DATA: folder });
    assert.equal(code, 1);
    assert.match(stdout, /BAD {2}database/);
  });

  test("an unknown command exits 2 and suggests the nearest one", async () => {
    const { code, stderr } = await runIronleased(["sevre"], {});
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: Unknown command "sevre"\.\n +Did you mean ironleased serve\?\n +ironleased --help\n$/,
    );
  });

  test("a noun with an unknown verb exits 2 and names the noun's help page", async () => {
    const { code, stderr } = await runIronleased(["renewals", "go"], {});
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: Unknown command "renewals go"\.\n(?: .*\n)* +ironleased renewals --help\n$/,
    );
  });

  test("verify without a database exits 1 and creates none", async () => {
    const IRONLEASE_DATA = temporaryFolder();
    const { code, stdout } = await runIronleased(["verify"], { IRONLEASE_DATA });
    assert.equal(code, 1);
    assert.match(stdout, /No database in .*\. Set IRONLEASE_DATA to the data folder\./);
    assert.deepEqual(readdirSync(IRONLEASE_DATA), []);
  });
});

describe("HTTPS", () => {
  test("the TLS folder and the database are readable by their owner only, and a restart keeps the certificate", async () => {
    const IRONLEASE_DATA = temporaryFolder();
    const fingerprint = async () => {
      const daemon = await startIronleased("serve", { IRONLEASE_DATA });
      const ca = readFileSync(join(IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
      const port = Number(new URL(daemon.url).port);
      const seen = await new Promise<string>((resolve, reject) => {
        const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca }, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.end();
        });
        socket.on("error", reject);
      });
      await daemon.stop();
      return seen;
    };
    const first = await fingerprint();
    assert.equal(await fingerprint(), first);
    assert.equal(statSync(join(IRONLEASE_DATA, "tls")).mode & 0o777, 0o700);
    assert.equal(statSync(join(IRONLEASE_DATA, "ironlease.db")).mode & 0o777, 0o600);
    assert.ok(existsSync(join(IRONLEASE_DATA, "tls", "ca.pem")));
  });
});
