import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readImport, rowProblem, type ImportRow } from "./read-import.ts";

function rowsOf(text: string): readonly ImportRow[] {
  const read = readImport(text);
  if (read.kind !== "rows") assert.fail(read.why);
  return read.rows;
}

describe("reading machines from a file", () => {
  test("CSV: quotes, doubled quotes, empty lines and Windows line ends", () => {
    const rows = rowsOf(
      'assetTag,configId,regionId,state\r\n"A ""1"", top",metal-s,fra,\r\n\r\nB2,metal-m,ams,DIRTY\r\n',
    );
    assert.deepEqual(rows, [
      {
        place: "line 2",
        machine: { assetTag: 'A "1", top', configId: "metal-s", regionId: "fra" },
      },
      {
        place: "line 4",
        machine: { assetTag: "B2", configId: "metal-m", regionId: "ams", state: "DIRTY" },
      },
    ]);
  });

  test("CSV: columns in any order and spelling, separated by semicolons", () => {
    const [row] = rowsOf(
      "Region ID;Asset tag;config_id;Rack;Unit;MAC addresses;Colour\nfra;A1;metal-s;R7;12;02:00:00:00:00:01 02:00:00:00:00:02;red",
    );
    assert.deepEqual(row?.machine, {
      regionId: "fra",
      assetTag: "A1",
      configId: "metal-s",
      rack: "R7",
      unit: 12,
      macAddresses: ["02:00:00:00:00:01", "02:00:00:00:00:02"],
    });
  });

  test("CSV: unknown columns are named, those of a controller are known", () => {
    const read = readImport(
      "assetTag,configId,regionId,controllerAddress,colour\nA1,metal-s,fra,x,red",
    );
    assert.deepEqual(read.kind === "rows" && read.unknown, ["colour"]);
  });

  test("CSV: a row is reported at the line it starts on, whatever the line ends", () => {
    const rows = rowsOf(
      '\uFEFFassetTag,configId,regionId\r\n"A\r\n1",metal-s,fra\n,,\n\n"B\n\n2", metal-s ,"fra" \rC3,metal-s,fra',
    );
    assert.deepEqual(
      rows.map(({ place, machine }) => [place, machine.assetTag, machine.regionId]),
      [
        ["line 2", "A\r\n1", "fra"],
        ["line 6", "B\n\n2", "fra"],
        ["line 9", "C3", "fra"],
      ],
    );
  });

  for (const cell of ['A "1"', '"A" 1', '"A1']) {
    test(`CSV: a stray quote in ${cell} is an error that names the line`, () => {
      const read = readImport(
        `assetTag,configId,regionId\nA0,metal-s,fra\n${cell},metal-s,fra\nA4,metal-s,fra\n`,
      );
      assert.equal(read.kind, "unreadable");
      assert.match(read.kind === "unreadable" ? read.why : "", /^Line 3: stray quote\./);
    });
  }

  test("CSV: a missing column is named", () => {
    const read = readImport("assetTag,configId\nA1,metal-s");
    assert.equal(read.kind, "unreadable");
    assert.match(read.kind === "unreadable" ? read.why : "", /Missing: regionId/);
  });

  test("JSON: a list, or the request body of the API", () => {
    const machine = { assetTag: "A1", configId: "metal-s", regionId: "fra" };
    for (const text of [JSON.stringify([machine]), JSON.stringify({ machines: [machine] })]) {
      assert.deepEqual(rowsOf(text), [{ place: "machine 1", machine }]);
    }
    const exported = JSON.stringify([{ ...machine, controller: { driver: "ipmi" } }]);
    assert.deepEqual(rowsOf(exported), [{ place: "machine 1", machine }]);
  });

  test("JSON: anything but a list is unreadable", () => {
    assert.equal(readImport('{"machine": 1}').kind, "unreadable");
    assert.equal(readImport("[{").kind, "unreadable");
  });

  test("an error is reported at its line", () => {
    const rows = rowsOf("assetTag,configId,regionId\nA1,metal-s,fra\n\nA2,nope,fra");
    const problem = { field: "machines.1.configId", message: "is not in the catalogue" };
    assert.deepEqual(rowProblem(problem, rows), {
      place: "line 4",
      text: "configId is not in the catalogue",
    });
  });
});
