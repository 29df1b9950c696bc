import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { createEmptyDatabase, forEachEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";

type Settings = Readonly<Record<string, string>>;

async function run(line: string, env: Settings) {
  const { code, said } = await ironleased(["operator", ...line.split(" ")], env);
  return { code, said };
}

const settingsFor = (engine: string, location: string): Settings =>
  engine === "postgres"
    ? { IRONLEASE_DATABASE_URL: location }
    : { IRONLEASE_DATA: dirname(location) };

test("without a database, operator add creates it and the other commands refuse", async () => {
  const data = join(temporaryFolder(), "none");
  const env = { IRONLEASE_DATA: data };
  for (const line of ["list", "disable ada", "enable ada", "reset ada"]) {
    assert.deepEqual(await run(line, env), {
      code: 1,
      said: `No database in ${data}. To create one: ironleased operator add NAME`,
    });
  }
  assert.ok(!existsSync(data));
  assert.equal((await run("add ada", env)).code, 0);
  assert.match((await run("list", env)).said, /\nada /);
});

forEachEngine((engine) => {
  describe("ironleased operator", () => {
    let opened: TestCore;
    let env: Settings;
    before(async () => {
      opened = await createTestCore(engine);
      env = settingsFor(engine, opened.location);
    });
    after(() => opened.dispose());

    const stored = (username: string) =>
      opened.core.db.read
        .selectFrom("operators")
        .select(["id", "role", "password_hash"])
        .where("username", "=", username)
        .executeTakeFirstOrThrow();

    test("list without operators explains how to add one", async () => {
      const { code, said } = await run("list", env);
      assert.equal(code, 0);
      assert.match(said, /^No operators yet\. To add one: ironleased operator add NAME/);
    });

    test("add prints the password on its own line and stores a hash; the default role is support", async () => {
      const { code, said } = await run("add Ada", env);
      assert.equal(code, 0);
      const password = /^password: ((?:[0-9a-z]{5}-){3}[0-9a-z]{5})$/m.exec(said)?.[1];
      assert.ok(password !== undefined, said);
      const { id, role, password_hash } = await stored("ada");
      assert.equal(role, "support");
      assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const audited = await opened.core.db.read
        .selectFrom("audit")
        .select(["actor", "action", "detail"])
        .where("subject", "=", id)
        .execute();
      assert.deepEqual(
        { ...audited[0] },
        {
          actor: "system",
          action: "operator.add",
          detail: '{"username":"ada","role":"support"}',
        },
      );
    });

    test("--role works before and after the name, and finance must set up a second factor", async () => {
      assert.match((await run("add bob --role finance", env)).said, /second factor/);
      assert.match((await run("add --role=admin eve", env)).said, /with role admin/);
      assert.equal((await stored("bob")).role, "finance");
      assert.equal((await stored("eve")).role, "admin");
    });

    test("a taken, invalid or unknown name is exit code 1 with advice", async () => {
      const refused: [string, RegExp][] = [
        ["add ADA", /^The operator ada already exists\. .*operator reset/],
        ["add 1x", /^The name must be 3 to 32 letters/],
        ["disable eva", /^There is no operator eva\. .*ironleased operator list/],
        ["enable eva", /^There is no operator eva\. .*ironleased operator list/],
        ["reset eva", /^There is no operator eva\. .*ironleased operator list/],
      ];
      for (const [line, sentence] of refused) {
        const { code, said } = await run(line, env);
        assert.equal(code, 1, line);
        assert.match(said, sentence);
      }
    });

    test("a usage error is exit code 2 and names the help page", async () => {
      const wrong = [
        "add",
        "add a b",
        "add abc --role boss",
        "networks abc --only 203.0.113.0/33",
        "networks abc --only ",
        "add abc --price 1",
        "add abc --role",
      ];
      const verbs = ["disable", "enable", "reset"];
      for (const line of [
        ...wrong,
        ...verbs.flatMap((verb) => [verb, `${verb} a b`, `${verb} -x`]),
      ]) {
        const { code, said } = await run(line, env);
        assert.equal(code, 2, line);
        assert.match(
          said,
          /^error: .*\n(?: .*\n)* +ironleased operator (?:add|disable|enable|networks|reset) --help$/,
        );
      }
    });

    test("networks names the option and the network that is wrong, and accepts spaces", async () => {
      assert.match(
        (await run("networks bob --only 203.0.113.0/24,office", env)).said,
        /^error: --only must be addresses or CIDRs such as .*"office" is neither\./,
      );
      const line = ["operator", "networks", "bob", "--only", "203.0.113.0/24, 198.51.100.7"];
      const { code, said } = await ironleased(line, env);
      assert.equal(code, 0, said);
      assert.equal(said, "bob may sign in from 203.0.113.0/24, 198.51.100.7/32 only.");
      assert.equal((await run("networks bob", env)).said, "bob may sign in from anywhere.");
    });

    test("disable, enable and reset report the change, and the list is aligned", async () => {
      assert.match(
        (await run("disable bob", env)).said,
        /^Disabled bob\. All sessions have ended\./,
      );
      assert.equal((await run("disable bob", env)).said, "bob is already disabled.");
      const reset = await run("reset bob", env);
      assert.match(reset.said, /^password: \S+$/m);
      assert.match(reset.said, /still disabled\. To enable: ironleased operator enable bob/);
      const { said } = await run("list", env);
      const lines = said.split("\n");
      assert.match(lines[0] ?? "", /^NAME {2}ROLE +SECOND FACTOR {2}DISABLED +LAST SEEN$/);
      assert.match(lines[1] ?? "", /^ada {3}support {2}off {12}no +never$/);
      assert.match(
        lines[2] ?? "",
        /^bob {3}finance {2}off {12}since \d{4}-\d\d-\d\d \d\d:\d\d UTC {2}never$/,
      );
      assert.equal(lines[1]?.indexOf("never"), lines[2]?.indexOf("never"));
      assert.match((await run("enable bob", env)).said, /^Enabled bob\./);
      assert.equal((await run("enable bob", env)).said, "bob is not disabled.");
    });

    test("all commands but add refuse an outdated database", async () => {
      const empty = await createEmptyDatabase(engine);
      try {
        const settings = settingsFor(engine, empty.location);
        if (engine === "sqlite") writeFileSync(empty.location, "", { mode: 0o600 });
        for (const line of ["list", "disable ada", "enable ada", "reset ada"]) {
          const { code, said } = await run(line, settings);
          assert.equal(code, 1);
          assert.match(
            said,
            /^The database is out of date \(.*\)\. Run ironleased migrate first\.$/,
          );
        }
        assert.equal((await run("add ada", settings)).code, 0);
      } finally {
        await empty.remove();
      }
    });
  });
});
