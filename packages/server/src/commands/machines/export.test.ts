import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";
import { operatorCall } from "#test/operators.ts";
import { stockUp, testCatalogue } from "#test/rental-service.ts";
import { valueOf } from "#test/use-cases.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { addMachines } from "#features/machines/add-machines.ts";
import { listMachines } from "#features/machines/list-machines.ts";
import { exportedMachine } from "@ironlease/csv";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { NewMachine } from "#kernel/machine-intake.ts";

const offer = { configId: "metal-s", regionId: "fra" } as const;

/** Texts that CSV, spreadsheets or a careless reader would change. */
const texts = [
  'quotes "and", commas; semicolons',
  "two\nlines\r\nand a third",
  "=1+1",
  "'=1+1",
  "''@x",
  "-5",
  " spaces around ",
  "'plain",
  "\ttab",
  "{",
  "Ünïcode 🔧",
];

const machines: readonly NewMachine[] = texts.map((notes, index) => ({
  assetTag: `${index % 2 === 0 ? "=" : "+"}A"${index},`,
  ...offer,
  state: (["FREE", "DIRTY", "RETIRED"] as const)[index % 3],
  rack: `R,${index}`,
  unit: index + 1,
  serialNumber: `-S${index}`,
  macAddresses: [`02:00:00:00:00:0${index.toString(16)}`, `02:00:00:00:01:0${index.toString(16)}`],
  switchPort: `@sw "${index}"`,
  notes,
  keepOutReason: index % 2 === 0 ? notes : null,
}));

forEachEngine((engine) => {
  describe("machines export", () => {
    let from: TestCore;
    let folder: string;
    before(async () => {
      from = await createTestCore(engine);
      folder = mkdtempSync(join(tmpdir(), "ironlease-export-"));
      await stockUp(from.core);
      const call = await operatorCall(from.core, "support");
      await valueOf(addMachines(from.core, call, [...machines, { assetTag: "Z", ...offer }]));
    });
    after(async () => {
      await from.dispose();
      rmSync(folder, { recursive: true });
    });

    const run = ({ location }: TestCore, ...args: readonly string[]) =>
      ironleased(
        ["machines", ...args],
        engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: location }
          : { IRONLEASE_DATA: location.replace(/\/ironlease\.db$/, "") },
      );
    const recordsOf = async (core: Core) => {
      const first = await listMachines(core, {});
      const second = await listMachines(core, { after: first.at(-1)?.id ?? "" });
      return [...first, ...second].map(exportedMachine);
    };

    for (const format of ["csv", "json"] as const) {
      test(`${format}: every machine, and an empty service imports the same records`, async () => {
        const { code, lines } = await run(from, "export", "--format", format);
        assert.equal(code, 0);
        const to = await createTestCore(engine);
        try {
          await valueOf(saveCatalogue(to.core, systemCall, testCatalogue));
          const file = join(folder, `machines.${format}`);
          writeFileSync(file, lines.join("\n"));
          const imported = await run(to, "import", file);
          assert.equal(imported.code, 0, imported.lines.join("\n"));
          const records = await recordsOf(from.core);
          assert.equal(records.length, 120 + 3 + machines.length + 1);
          assert.deepEqual(await recordsOf(to.core), records);
        } finally {
          await to.dispose();
        }
      });
    }

    test("csv: no cell begins like a formula", async () => {
      const { lines } = await run(from, "export");
      const cells = lines.flatMap((line) => line.split(","));
      assert.deepEqual(
        cells.filter((cell) => /^"?[=+@-]/.test(cell)),
        [],
      );
    });
  });
});
