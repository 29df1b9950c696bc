import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sealingWith } from "#test/bare-core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { withHardware } from "#test/hardware.ts";
import { ironleased } from "#test/ironleased.ts";
import { operatorCall } from "#test/operators.ts";
import { stockUp, testCatalogue } from "#test/rental-service.ts";
import { valueOf } from "#test/use-cases.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { addMachines, type MachineInput } from "#features/machines/add-machines.ts";
import type { ControllerInput } from "#features/machines/controller-input.ts";
import { listMachines } from "#features/machines/list-machines.ts";
import { csvRow, escapeFormula, exportedMachine, readCsv } from "@ironlease/csv";
import { systemCall } from "#kernel/call.ts";
import { controllerContext } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";

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

const machines: readonly MachineInput[] = texts.map((notes, index) => ({
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

const password = '=1, "2"';
const credential = "from before";
const key = randomBytes(32);
/** By asset tag. The last gets no password before the import. */
const controllers: Readonly<Record<string, ControllerInput>> = {
  K1: {
    driver: "redfish",
    address: "https://127.0.0.1:443",
    username: "@u",
    credential,
    certificateSha256: "ab".repeat(32),
  },
  K2: { driver: "ipmi", address: "127.0.0.1:623", username: "u", credential },
  K3: { driver: "redfish", address: "https://127.0.0.3:443", username: "u", credential },
};
const controlled = Object.entries(controllers).map(([assetTag, controller]) => ({
  assetTag,
  ...offer,
  controller,
}));
const hasPassword = (assetTag: unknown) => assetTag === "K1" || assetTag === "K2";

/** Adds passwords to an export, as an operator does. */
const withPasswords = {
  csv: (text: string): string => {
    const csv = readCsv(text);
    if (!csv.ok) assert.fail(csv.message);
    const added = ([tag = "", ...cells]: readonly string[], line: number) => {
      const last = hasPassword(tag) ? escapeFormula(password) : "";
      return csvRow([tag, ...cells, line === 0 ? "controllerPassword" : last]);
    };
    return csv.rows.map(({ cells }, line) => added(cells, line)).join("\n");
  },
  json: (text: string): string => {
    const { machines: list } = JSON.parse(text) as { machines: Record<string, object>[] };
    return JSON.stringify(
      list.map(({ controller, ...machine }) =>
        hasPassword(machine["assetTag"])
          ? { ...machine, controller: { ...controller, credential: password } }
          : { ...machine, controller },
      ),
    );
  },
};

forEachEngine((engine) => {
  describe("machines export", () => {
    let from: TestCore;
    let folder: string;
    before(async () => {
      from = await createTestCore(engine);
      folder = mkdtempSync(join(tmpdir(), "ironlease-export-"));
      writeFileSync(join(folder, "secret.key"), key.toString("base64"), { mode: 0o600 });
      await stockUp(from.core);
      const call = await operatorCall(from.core, "admin");
      const all = [...machines, { assetTag: "Z", ...offer }, ...controlled];
      await valueOf(addMachines(withHardware(from.core), call, all));
    });
    after(async () => {
      await from.dispose();
      rmSync(folder, { recursive: true });
    });

    const run = ({ location }: TestCore, ...args: readonly string[]) =>
      ironleased(["machines", ...args], {
        IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8",
        IRONLEASE_SECRET_FILE: join(folder, "secret.key"),
        ...(engine === "postgres"
          ? { IRONLEASE_DATABASE_URL: location }
          : { IRONLEASE_DATA: location.replace(/\/ironlease\.db$/, "") }),
      });
    const recordsOf = async (core: Core) => {
      const first = await listMachines(core, {});
      const second = await listMachines(core, { after: first.at(-1)?.id ?? "" });
      return [...first, ...second].map(exportedMachine);
    };

    for (const format of ["csv", "json"] as const) {
      test(`${format}: an empty service imports the same records, and controllers with passwords`, async () => {
        const { code, lines } = await run(from, "export", "--format", format);
        assert.equal(code, 0);
        const to = await createTestCore(engine);
        try {
          await valueOf(saveCatalogue(to.core, systemCall, testCatalogue));
          const file = join(folder, `machines.${format}`);
          writeFileSync(file, withPasswords[format](lines.join("\n")));
          const imported = await run(to, "import", file);
          assert.equal(imported.code, 0, imported.lines.join("\n"));
          assert.deepEqual(imported.lines.slice(1), [
            "Set 2 controllers.",
            "Skipped 1 controller without a password: set each at the desk.",
          ]);
          const records = await recordsOf(from.core);
          assert.equal(records.length, 120 + 3 + machines.length + 1 + controlled.length);
          const expected = records.map((record) =>
            record.assetTag === "K3" ? { ...record, controller: null } : record,
          );
          assert.deepEqual(await recordsOf(to.core), expected);
          const stored = await to.core.db.read.selectFrom("controllers").selectAll().execute();
          for (const { machine_id: id, credential: sealed } of stored) {
            assert.equal(await sealingWith(key).open(sealed, controllerContext(id)), password);
          }
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
