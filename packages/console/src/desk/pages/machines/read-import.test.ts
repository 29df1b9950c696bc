import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readImport, rowProblem, type ImportRow, type ImportRows } from "./read-import.ts";

function readRows(text: string): ImportRows {
  const read = readImport(text);
  if (read.kind !== "rows") assert.fail(read.why);
  return read;
}

function rowsOf(text: string): readonly ImportRow[] {
  return readRows(text).rows;
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

  test("CSV: unknown columns are named", () => {
    const read = readRows("assetTag,configId,regionId,colour\nA1,metal-s,fra,red");
    assert.deepEqual(read.unknown, ["colour"]);
  });

  const controller = { driver: "redfish", address: "https://10.0.0.7:443", username: "u" };
  const credential = '=a, "b"';

  test("CSV: controllers with a password are set, others skipped, and errors name the column", () => {
    const pin = "ab".repeat(32);
    const read = readRows(
      `assetTag,configId,regionId,controllerDriver,Controller address,controller_username,controllerPassword,Controller certificate SHA-256
A1,metal-s,fra,redfish,https://10.0.0.7:443,u,"'=a, ""b""",${pin}
A2,metal-s,fra,redfish,https://10.0.0.7:443,u,,${pin}
A3,metal-s,fra,,,,x,
A4,metal-s,fra,,,,,`,
    );
    assert.deepEqual(read.unknown, []);
    assert.deepEqual(read.controllers, { set: 2, skipped: 1 });
    assert.deepEqual(
      read.rows.map(({ machine }) => machine.controller),
      [
        { ...controller, credential, certificateSha256: pin },
        undefined,
        { credential: "x" },
        undefined,
      ],
    );
    const problem = (field: string) =>
      rowProblem({ field: `machines.2.controller.${field}`, message: "is required" }, read);
    assert.deepEqual(problem("address"), {
      place: "line 4",
      text: "controllerAddress is required",
    });
    assert.equal(problem("credential").text, "controllerPassword is required");
  });

  test("JSON: controllers with a password are set, and those of an export skipped", () => {
    const machine = { assetTag: "A1", configId: "metal-s", regionId: "fra" };
    const exported = { ...controller, certificateSha256: null };
    const read = readRows(
      JSON.stringify([
        { ...machine, controller: exported },
        { ...machine, controller: { ...exported, credential } },
        { ...machine, controller: null },
        { ...machine, controller: "x" },
      ]),
    );
    assert.deepEqual(read.controllers, { set: 2, skipped: 1 });
    assert.deepEqual(
      read.rows.map((row) => row.machine),
      [
        machine,
        { ...machine, controller: { ...controller, credential } },
        machine,
        { ...machine, controller: "x" },
      ],
    );
    const problem = { field: "machines.3.controller", message: "must be an object" };
    assert.equal(rowProblem(problem, read).text, "controller must be an object");
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
  });

  test("JSON: anything but a list is unreadable", () => {
    assert.equal(readImport('{"machine": 1}').kind, "unreadable");
    assert.equal(readImport("[{").kind, "unreadable");
  });

  test("an error is reported at its line", () => {
    const read = readRows("assetTag,configId,regionId\nA1,metal-s,fra\n\nA2,nope,fra");
    const problem = { field: "machines.1.configId", message: "is not in the catalogue" };
    assert.deepEqual(rowProblem(problem, read), {
      place: "line 4",
      text: "configId is not in the catalogue",
    });
  });
});
