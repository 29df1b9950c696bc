import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";

forEachEngine((engine) => {
  describe("ironleased account show, machines list and catalogue export", () => {
    let opened: TestCore;
    let env: Readonly<Record<string, string>>;
    before(async () => {
      opened = await createTestCore(engine);
      env =
        engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: opened.location }
          : { IRONLEASE_DATA: dirname(opened.location) };
    });
    after(() => opened.dispose());

    test("account show finds an account by name or id and shows what it has", async () => {
      const { accountId, username } = await register(opened.core);
      const byName = await ironleased(["account", "show", username.toUpperCase()], env);
      assert.equal(byName.code, 0, byName.said);
      assert.deepEqual(await ironleased(["account", "show", accountId], env), byName);
      assert.deepEqual(
        byName.lines
          .map((line) => line.split(/ {2,}/))
          // They depend on the clock.
          .filter(([label = ""]) => !["Created", "Sessions"].includes(label)),
        [
          ["Account", accountId],
          ["Username", username],
          ["State", "OPEN"],
          ["Balance", "0.00 USD"],
          ["Held", "0.00 USD"],
          ["API keys", "0"],
        ],
      );
      await opened.core.db.write(async (tx) => {
        await tx
          .updateTable("accounts")
          .set({ frozen_at: 1 })
          .where("id", "=", accountId)
          .execute();
        return { ok: true, value: undefined };
      });
      assert.match((await ironleased(["account", "show", username], env)).said, /^State +FROZEN$/m);
    });

    test("account show of an unknown account is exit code 1", async () => {
      const { code, said } = await ironleased(["account", "show", "\u001b[31mx"], env);
      assert.deepEqual([code, said], [1, "There is no account \\u001b[31mx."]);
    });

    test("an exported catalogue is the one that was imported", async () => {
      const demo = new URL("preview/demo-catalogue.json", import.meta.url).pathname;
      assert.equal((await ironleased(["catalogue", "import", demo], env)).code, 0);
      const { code, said } = await ironleased(["catalogue", "export"], env);
      assert.equal(code, 0);
      const file = join(temporaryFolder(), "catalogue.json");
      writeFileSync(file, said);
      assert.match((await ironleased(["catalogue", "import", file], env)).said, /^No changes: /);
    });

    test("machines list filters by state, configuration and region", async () => {
      const file = join(temporaryFolder(), "machines.csv");
      writeFileSync(
        file,
        "assetTag,configId,regionId,state\nL-1,metal-s,fra,FREE\nL-2,metal-s,ams,FREE\nL-3,metal-l,fra,DIRTY\n",
      );
      assert.equal((await ironleased(["machines", "import", file], env)).code, 0);
      const tags = async (...options: string[]) => {
        const { code, said } = await ironleased(["machines", "list", "--json", ...options], env);
        assert.equal(code, 0, said);
        const { machines } = JSON.parse(said) as { machines: { assetTag: string }[] };
        return machines.map(({ assetTag }) => assetTag);
      };
      assert.deepEqual(await tags(), ["L-1", "L-2", "L-3"]);
      assert.deepEqual(await tags("--state", "free"), ["L-1", "L-2"]);
      assert.deepEqual(await tags("--configuration", "metal-s", "--region", "fra"), ["L-1"]);
      const { lines } = await ironleased(["machines", "list", "--state", "DIRTY"], env);
      assert.equal(lines.length, 2);
      assert.match(lines[1] ?? "", /^mch_\w+ +L-3 +metal-l +fra +DIRTY$/);
      const none = await ironleased(["machines", "list", "--region", "nowhere"], env);
      assert.deepEqual([none.code, none.said], [0, "No machines found."]);
    });

    test("operator commands refuse to disable, demote or exclude the last admin", async () => {
      await ironleased(["operator", "add", "boss", "--role", "admin"], env);
      for (const line of ["disable boss", "role boss finance"]) {
        const { code, said } = await ironleased(["operator", ...line.split(" ")], env);
        const refusal = "boss is the last enabled admin. Add another admin first.";
        assert.deepEqual([line, code, said], [line, 1, refusal]);
      }
      await ironleased(["operator", "add", "second", "--role", "admin"], env);
      assert.equal((await ironleased(["operator", "disable", "boss"], env)).code, 0);
    });
  });
});
