import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestCore, type TestCore } from "#test/core.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";

const example = (name: string) =>
  fileURLToPath(new URL(`../docs/examples/${name}`, import.meta.url));

forEachEngine((engine) => {
  describe("docs/examples", () => {
    let testCore: TestCore;
    let env: Readonly<Record<string, string>>;
    before(async () => {
      testCore = await createTestCore(engine);
      const { location } = testCore;
      env = {
        IRONLEASE_HARDWARE_NETWORKS: "10.20.0.0/16",
        ...(engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: location, IRONLEASE_DATA: temporaryFolder() }
          : { IRONLEASE_DATA: location.replace(/\/ironlease\.db$/, "") }),
      };
    });
    after(() => testCore.dispose());

    test("the catalogue, then the machines of both files, can be imported", async () => {
      const said = async (...argv: string[]) => {
        const ended = await ironleased(argv, env);
        assert.equal(ended.code, 0, ended.said);
        return ended.lines.map((line) => line.replace(/ from \S+(?=:)/, ""));
      };
      const [, ...imported] = await said("catalogue", "import", example("catalogue.json"));
      assert.deepEqual(
        imported.map((line) => line.replaceAll(/ +/g, " ").trim()),
        ["configurations 4 (6 offers)", "regions 2", "operating systems 5", "discounts 2"],
      );
      assert.deepEqual(await said("machines", "import", example("machines.csv")), [
        "Added 8 machines: 7 FREE, 1 DIRTY.",
      ]);
      assert.deepEqual(await said("machines", "import", example("machines.json")), [
        "Added 2 machines: 2 FREE.",
        "Set 2 controllers.",
      ]);
    });
  });
});
