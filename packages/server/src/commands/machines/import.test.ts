import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { stockUp } from "#test/rental-service.ts";
import { ironleased } from "#test/ironleased.ts";

const header = "assetTag,configId,regionId,state";
const offer = "metal-s,fra";
const controlled =
  "assetTag,configId,regionId,controllerDriver,controllerAddress,controllerUsername,controllerPassword,controllerCertificateSha256";

forEachEngine((engine) => {
  describe("machines import", () => {
    let testCore: TestCore;
    let folder: string;
    before(async () => {
      testCore = await createTestCore(engine);
      folder = mkdtempSync(join(tmpdir(), "ironlease-machines-"));
      await stockUp(testCore.core);
    });
    after(async () => {
      await testCore.dispose();
      rmSync(folder, { recursive: true });
    });

    async function run(...args: readonly string[]) {
      const { location } = testCore;
      const env =
        engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: location }
          : { IRONLEASE_DATA: location.replace(/\/ironlease\.db$/, "") };
      const settings = {
        IRONLEASE_DATA: folder,
        IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8",
        ...env,
      };
      const { code, lines } = await ironleased(["machines", "import", ...args], settings);
      return { code, lines: lines.map((line) => line.replace(`${folder}/`, "")) };
    }
    /** Runs the command on the text, as a file of that name. */
    function runWith(text: string | Buffer, name = "m.csv") {
      const file = join(folder, name);
      writeFileSync(file, text);
      return run(file);
    }
    const machines = async () => {
      const { read } = testCore.core.db;
      const rows = await read.selectFrom("machines").select(["asset_tag", "state"]).execute();
      return new Map(rows.map(({ asset_tag, state }) => [asset_tag, state]));
    };

    const wrong: [what: string, text: string | Buffer, ...lines: (string | RegExp)[]][] = [
      [
        "one wrong row among good ones",
        `${header}\nA1,${offer},\nA2,metal-x,fra,\nA3,${offer},FREE\n`,
        "m.csv:3: configId is not in the catalogue",
      ],
      [
        "several, in the order of their lines",
        `${header}\nA1,metal-s,ams,\n\n"A\n2",${offer},\nA3,,nowhere,BROKEN\n`,
        /^m\.csv:4: assetTag must be 1 to 64 printable ASCII/,
        "m.csv:6: configId must be a configuration id from the catalogue",
        "m.csv:6: state must be one of FREE, DIRTY, RETIRED",
      ],
      [
        "a configuration that the region does not offer",
        `${header}\nA1,metal-s,ams,\n`,
        /^m\.csv:2: regionId does not offer this configuration/,
      ],
      [
        "an asset tag twice",
        `${header}\nA1,${offer},\nA2,${offer},\nA1,${offer},\n`,
        "m.csv:2: assetTag is duplicated",
        "m.csv:4: assetTag is duplicated",
      ],
      [
        "an asset tag that is taken",
        `${header}\nA1,${offer},\nmetal-s-fra-7,${offer},\n`,
        "m.csv:3: assetTag already belongs to another machine",
      ],
      [
        "states that follow from orders",
        `${header}\nA1,${offer},RESERVED\nA2,${offer},ASSIGNED\nA3,${offer},free\n`,
        "m.csv:2: state must be one of FREE, DIRTY, RETIRED",
        "m.csv:3: state must be one of FREE, DIRTY, RETIRED",
        "m.csv:4: state must be one of FREE, DIRTY, RETIRED",
      ],
      [
        "rows of the wrong length",
        `${header}\nA1,${offer}\nA2,${offer},FREE,x\n`,
        "m.csv:2: expected 4 cells, found 3",
        "m.csv:3: expected 4 cells, found 5",
      ],
      [
        "wrong values of the record",
        `assetTag,configId,regionId,rack,unit,macAddresses\nA1,${offer},R1,101,\nA2,${offer},,7,\nA3,${offer},R1,x,02:00:00:00:00:01 nonsense\n`,
        "m.csv:2: unit must be a whole number from 1 to 100, or null",
        "m.csv:4: unit must be a whole number from 1 to 100, or null",
        /^m\.csv:4: macAddresses\.1 must be the MAC address of one interface/,
      ],
      [
        "a unit without a rack, and a serial number twice",
        `assetTag,configId,regionId,unit,serialNumber\nA1,${offer},7,S\nA2,${offer},,S\n`,
        "m.csv:2: unit requires a rack",
        "m.csv:2: serialNumber is duplicated",
        "m.csv:3: serialNumber is duplicated",
      ],
      [
        "incomplete controllers with a password",
        `${controlled}\nA1,${offer},,,,secret-word,\nA2,${offer},telnet,127.0.0.1:23,u,secret-word,ab\n`,
        "m.csv:2: controllerDriver is required",
        "m.csv:2: controllerAddress is required",
        "m.csv:2: controllerUsername is required",
        "m.csv:3: controllerDriver must be one of redfish, ipmi",
        "m.csv:3: controllerCertificateSha256 must be a SHA-256 in hex, with or without colons",
      ],
      [
        "a controller outside the networks, and a long password",
        `${controlled}\nA1,${offer},ipmi,192.0.2.1:623,u,secret-word,\nA2,${offer},ipmi,127.0.0.1:623,u,secret-word secret-word,\n`,
        "m.csv:2: controllerAddress must be on a network in IRONLEASE_HARDWARE_NETWORKS",
        "m.csv:3: controllerPassword must be at most 20 bytes with ipmi",
      ],
      [
        "a wrong controller in JSON",
        `[{"assetTag":"A1","configId":"metal-s","regionId":"fra","controller":{"driver":"ipmi",\n"address":"192.0.2.1:623","username":"u","credential":"secret-word"}}]`,
        "m.csv:2: machines.0.controller.address must be on a network in IRONLEASE_HARDWARE_NETWORKS",
      ],
      ["a column that is missing", "assetTag,configId\nA1,metal-s\n", /^m\.csv:1: the first line/],
      [
        "a column that is unknown",
        `${header},colour\nA1,${offer},,7\n`,
        /^m\.csv:1: the first line/,
      ],
      ["a column twice", `${header},state\nA1,${offer},,\n`, /^m\.csv:1: the first line/],
      ["no header", `A1,${offer},FREE\n`, /^m\.csv:1: the first line must name the columns/],
      ["nothing", "", /^m\.csv:1: the first line must name the columns/],
      ["a header alone", `${header}\n`, /^m\.csv:1: the table must be a list of 1 to 5000/],
      ["a quote in a cell", `${header}\nA"1,${offer},\n`, /^m\.csv:2: stray quote/],
      ["broken UTF-8", Buffer.of(0x61, 0x0a, 0xff), "m.csv:2: not valid UTF-8"],
      ["too much", Buffer.alloc(4 * 1024 ** 2 + 1, 0x20), "m.csv: larger than 4 MiB"],
      [
        "a wrong row of JSON",
        `{"machines": [\n{"assetTag":"A1","configId":"metal-s","regionId":"fra"},\n{"assetTag":"A2",\n"configId":"x","regionId":"fra"}]}`,
        "m.csv:4: machines.1.configId is not in the catalogue",
      ],
      [
        "a wrong row of a plain list, and an unknown field",
        `[\n{"assetTag":"A1","configId":"metal-s","regionId":"fra",\n"colour":7},\n{"assetTag":7,"configId":"metal-s","regionId":"fra"}]`,
        "m.csv:3: machines.0.colour is not a known field",
        /^m\.csv:4: machines\.1\.assetTag must be 1 to 64/,
      ],
      ["JSON of something else", '{\n"racks": []}', "m.csv:2: racks is not a known field"],
      ["an empty list", "[]", /^m\.csv:1: machines must be a list of 1 to 5000 machines/],
      ["an object without machines", "{}", /^m\.csv:1: machines must be/],
      ["broken JSON", "[\n{]", /^m\.csv:2: invalid JSON/],
    ];
    for (const [what, text, ...expected] of wrong) {
      test(`${what}: the error names the line, exit code 1, and nothing is imported`, async () => {
        const before = await machines();
        const { code, lines } = await runWith(text);
        assert.equal(code, 1);
        for (const [index, line] of expected.entries()) {
          if (typeof line === "string") assert.equal(lines[index], line);
          else assert.match(lines[index] ?? "", line);
        }
        assert.equal(lines.length, expected.length + 1);
        assert.equal(lines.at(-1), "Nothing was imported.");
        assert.ok(!lines.join("\n").includes("secret-word"));
        assert.deepEqual(await machines(), before);
      });
    }

    const good: [what: string, text: string, states: string][] = [
      [
        "CSV",
        `${header}\nB1,${offer},\nB2,${offer},DIRTY\n"B,3",${offer},RETIRED\n`,
        "FREE DIRTY RETIRED",
      ],
      ["CSV with CRLF and a byte order mark", `\ufeff${header}\r\nC1,${offer},FREE\r\n`, "FREE"],
      [
        "CSV without states, its columns in another order",
        "regionId,assetTag,configId\nfra,D1,metal-s\n",
        "FREE",
      ],
      ["CSV with semicolons", "assetTag;configId;regionId\nE1;metal-l;ams\n", "FREE"],
      [
        "JSON as the API takes it",
        '{"machines":[{"assetTag":"F1","configId":"metal-s","regionId":"fra","state":"DIRTY"}]}',
        "DIRTY",
      ],
      ["a plain list", '\n [{"assetTag":"G1","configId":"metal-s","regionId":"fra"}]', "FREE"],
    ];
    for (const [what, text, states] of good) {
      test(`${what} is imported, and the output has the count`, async () => {
        const before = await machines();
        const { code, lines } = await runWith(text);
        assert.equal(code, 0, lines.join("\n"));
        const added = [...(await machines())].filter(([tag]) => !before.has(tag));
        assert.deepEqual(added.map(([, state]) => state).toSorted(), states.split(" ").toSorted());
        assert.match(
          lines.join("\n"),
          new RegExp(`^Added ${added.length} machines? from m\\.csv: `),
        );
      });
    }

    test("a file that is imported again is refused with the asset tag of each line", async () => {
      const text = `assetTag,configId,regionId,rack,unit,serialNumber\nI1,${offer},R1,1,S1\nI2,${offer},R1,2,S2\n`;
      assert.equal((await runWith(text)).code, 0);
      assert.deepEqual((await runWith(text)).lines, [
        "m.csv:2: assetTag already belongs to another machine",
        "m.csv:3: assetTag already belongs to another machine",
        "Nothing was imported.",
      ]);
    });

    test("5,000 machines are imported at once, and 5,001 are refused", async () => {
      const table = (count: number) =>
        [header, ...Array.from({ length: count }, (_, n) => `H${n},${offer},`)].join("\n");
      const refused = await runWith(table(5_001));
      assert.match(refused.lines[0] ?? "", /must be a list of 1 to 5000 machines$/);
      assert.deepEqual(await runWith(table(5_000)), {
        code: 0,
        lines: ["Added 5000 machines from m.csv: 5000 FREE."],
      });
      const again = await runWith(table(5_000));
      assert.equal(again.lines.length, 52);
      assert.equal(again.lines[50], "… and 4950 more.");
    });

    test("a missing argument is exit code 2, and a missing file or a folder is exit code 1", async () => {
      for (const args of [[], ["a", "b"]]) {
        const { code, lines } = await run(...args);
        assert.equal(code, 2);
        assert.equal(lines.at(-1), "    ironleased machines import --help");
      }
      const { code, lines } = await run(join(folder, "none.csv"));
      assert.deepEqual([code, lines[0]], [1, "none.csv: no such file"]);
      assert.match((await run(folder)).lines[0] ?? "", /: is a folder$/);
    });

    test("the audit log records the actor system", async () => {
      const rows = testCore.core.db.read.selectFrom("audit").select(["actor", "action"]).distinct();
      const found = await rows.where("action", "like", "machine.%").orderBy("action").execute();
      assert.deepEqual(
        found.map(({ actor, action }) => [actor, action]),
        [
          ["system", "machine.add"],
          ["system", "machine.import"],
        ],
      );
    });

    test("every invariant holds after these tests", () => assertInvariantsHold(testCore.core.db));
  });
});
