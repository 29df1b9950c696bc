import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import { ironleased } from "#test/ironleased.ts";

const demoFile = new URL("../preview/demo-catalogue.json", import.meta.url);
const demo = readFileSync(demoFile, "utf8");

forEachEngine((engine) => {
  describe("catalogue import", () => {
    let testCore: TestCore;
    let folder: string;
    before(async () => {
      testCore = await createTestCore(engine);
      folder = mkdtempSync(join(tmpdir(), "ironlease-import-"));
    });
    after(async () => {
      await testCore.dispose();
      rmSync(folder, { recursive: true });
    });

    /** Runs the command on the text, as a file of that name. */
    async function runWith(text: string | Buffer, name = "catalogue.json") {
      const file = join(folder, name);
      writeFileSync(file, text);
      return run(file);
    }
    async function run(...args: readonly string[]) {
      const { location } = testCore;
      const env =
        engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: location }
          : { IRONLEASE_DATA: location.replace(/\/ironlease\.db$/, "") };
      const { code, lines } = await ironleased(["catalogue", "import", ...args], env);
      return { code, lines: lines.map((line) => line.replace(`${folder}/`, "")) };
    }
    const inForce = () => currentCatalogue(testCore.core.db.read, testCore.core);

    const wrong: [what: string, text: string | Buffer, ...lines: RegExp[]][] = [
      [
        "values of the wrong kind",
        demo
          .replace('"memoryGb": 32', '"memoryGb": "32"')
          .replace('"weeklyUsd": 29.5', '"weeklyUsd": 29.505'),
        /^catalogue\.json:27: configurations\.0\.memoryGb must be a whole number of GB$/,
      ],
      [
        "prices of three decimals",
        demo.replace('"weeklyUsd": 29.5', '"weeklyUsd": 29.505'),
        /^catalogue\.json:46: configurations\.1\.offers\.0\.weeklyUsd must have at most two decimals$/,
      ],
      [
        "several faults, in the order of their lines",
        demo
          .replace('"lax", "name"', '"fra", "name"')
          .replace('"minQuantity": 20', '"minQuantity": 3'),
        /^catalogue\.json:7: regions\.3\.id must be unique, but regions\.0 has the same value$/,
        /^catalogue\.json:34: configurations\.0\.offers\.3\.regionId must be the id of one of the regions$/,
      ],
      [
        "unknown and missing fields",
        demo.replace('"country": "NL"', '"land": "NL"'),
        /^catalogue\.json:5: regions\.1\.(?:land is not a known field|country is required)$/,
      ],
      [
        "a comma too many",
        demo.replace('"country": "SG" }', '"country": "SG" },'),
        /^catalogue\.json:9: invalid JSON: expected a value, found "\]"$/,
      ],
      [
        "a key twice",
        demo.replace('"name": "Metal M",', '"name": "Metal M",\n      "name": "Metal N",'),
        /^catalogue\.json:41: configurations\.1\.name is a duplicate of line 40$/,
      ],
      [
        "broken UTF-8",
        Buffer.concat([Buffer.from('{\n  "regions": [\n "'), Buffer.of(0xff), Buffer.from('"]}')]),
        /^catalogue\.json:3: not valid UTF-8$/,
      ],
      ["no catalogue at all", "[]", /^catalogue\.json:1: the document must be object$/],
      ["nothing", "", /^catalogue\.json:1: invalid JSON/],
      ["too much", " ".repeat(4 * 1024 ** 2 + 1), /^catalogue\.json: larger than 4 MiB$/],
    ];
    for (const [what, text, ...expected] of wrong) {
      test(`${what}: the error names the line, exit code 1, and nothing is imported`, async () => {
        const { version } = await inForce();
        const { code, lines } = await runWith(text);
        assert.equal(code, 1);
        for (const [index, pattern] of expected.entries())
          assert.match(lines[index] ?? "", pattern);
        assert.equal(lines.at(-1), "Nothing was imported.");
        assert.equal((await inForce()).version, version);
      });
    }

    test("the first 50 errors are printed, then the number of others", async () => {
      const regions = Array.from({ length: 80 }, () => ({ id: "x" }));
      const { lines } = await runWith(JSON.stringify({ regions }));
      assert.equal(lines.length, 52);
      assert.match(lines[50] ?? "", /^… and \d+ more\.$/);
    });

    test("a missing file, a folder and a missing argument are errors", async () => {
      const missing = await run(join(folder, "none.json"));
      assert.deepEqual(missing.lines, ["none.json: no such file", "Nothing was imported."]);
      assert.match((await run(folder)).lines[0] ?? "", /: is a folder$/);
      for (const args of [[], ["a", "b"]]) {
        const { code, lines } = await run(...args);
        assert.equal(code, 2);
        assert.equal(lines.at(-1), "    ironleased catalogue import --help");
      }
    });

    test("the demo catalogue is imported with a summary, and a second import changes nothing", async () => {
      assert.equal((await inForce()).version, 0);
      const summary = [
        "  configurations      7 (25 offers)",
        "  regions             5",
        "  operating systems   10",
        "  discounts           4",
      ];
      assert.deepEqual(await runWith(demo), {
        code: 0,
        lines: ["Imported catalogue.json as catalogue version 1.", ...summary],
      });
      const { $schema, ...document } = JSON.parse(demo);
      assert.match($schema, /catalogue\.schema\.json$/);
      assert.deepEqual((await inForce()).document, document);
      const again = "No changes: catalogue.json is already the current catalogue, version 1.";
      assert.deepEqual(await runWith(demo), { code: 0, lines: [again, ...summary] });
    });

    test("a byte order mark and CRLF line breaks are accepted", async () => {
      const { code } = await runWith(`\ufeff${demo.replaceAll("\n", "\r\n")}`);
      assert.equal(code, 0);
      assert.equal((await inForce()).version, 1);
    });

    test("the audit log records the actor system", async () => {
      const rows = await testCore.core.db.read
        .selectFrom("audit")
        .select(["actor", "action"])
        .execute();
      assert.deepEqual(
        rows.map(({ actor, action }) => [actor, action]),
        [["system", "catalogue.save"]],
      );
    });
  });
});
