import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { backUpDatabase } from "#server/composition/command-database.ts";
import { readConfig } from "#server/config.ts";
import type { Db } from "#server/ports/db.ts";
import { claimedItem, testHardwareTimes } from "#test/hardware.ts";
import { codeOf } from "#test/https-client.ts";
import { startRedfishEmulator } from "#test/redfish-emulator.ts";
import { stockUp } from "#test/rental-service.ts";
import { startTestService } from "#test/service.ts";

/** The bytes of a backup as `ironleased backup` makes it, read as text. */
async function backUp({ read }: Db): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(read);
  const folder = dirname(rows[0]?.file ?? "");
  const file = join(folder, "backup.db");
  const backup = backUpDatabase(readConfig("preview", { IRONLEASE_DATA: folder }), file);
  assert.ok(backup.ok);
  return (await readFile(file)).toString("latin1");
}

// One engine is enough, because the credential is sealed before it reaches the adapter.
test("a controller's password is in no answer, log, audit entry, row or backup", async () => {
  const machine = await startRedfishEmulator();
  const service = await startTestService("sqlite", {
    settings: { IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8" },
    hardwareTimes: testHardwareTimes,
  });
  try {
    const { core } = service;
    await stockUp(core);
    const admin = await service.operator("admin");
    const { machineId, workId } = await claimedItem(core, undefined, "reboot");
    // Claimed by another operator, whose claim this one takes over.
    service.clock.advance(core.rules.leaseMs);
    const path = `/operator/v1/machines/${machineId}/controller`;
    const body = machine.controller;
    const support = await service.operator("support");
    assert.equal((await support.send("PUT", path, { body })).status, 403);
    const set = await admin.send("PUT", path, { body });
    const { credential: secret, ...shown } = body;
    assert.deepEqual([set.status, set.json.controller], [200, shown]);
    const added = (assetTag: string) => ({
      ...{ assetTag, configId: "metal-s", regionId: "fra" },
      controller: body,
    });
    const one = { body: added("One") };
    const list = { body: { machines: [added("Two"), added("Three")] } };
    const machines = "/operator/v1/machines";
    for (const refused of [one, list]) {
      const answer = await support.send("POST", machines, refused);
      assert.deepEqual([answer.status, codeOf(answer)], [403, "role_forbidden"]);
    }
    const addedOne = await admin.send("POST", machines, one);
    assert.deepEqual([addedOne.status, addedOne.json.controller], [201, shown]);
    const addedList = await admin.send("POST", machines, list);
    assert.deepEqual([addedList.status, addedList.json.machines[1].controller], [201, shown]);
    const fault = { ...added("Four"), controller: { ...body, address: "https://192.0.2.7:443" } };
    const faulty = await admin.send("POST", machines, {
      body: { machines: [added("Five"), fault] },
    });
    assert.equal(faulty.status, 400);
    assert.equal(faulty.json.error.fields[0].field, "machines.1.controller.address");
    assert.equal((await admin.send("POST", `/operator/v1/work/${workId}/claim`)).status, 200);
    const run = await admin.send("POST", `/operator/v1/work/${workId}/run`, {
      body: {},
      headers: { "idempotency-key": "a-run-over-https" },
    });
    assert.equal(run.status, 202, run.text);
    const read = () => admin.send("GET", `/operator/v1/work/${workId}/runs`);
    let runs = await read();
    while (["QUEUED", "RUNNING"].includes(String(runs.json.runs[0].state))) {
      runs = await read();
    }
    assert.equal(runs.json.runs[0].state, "SUCCEEDED", runs.text);
    assert.equal(runs.json.runs[0].id, run.json.id);
    assert.equal(runs.json.power.state, "ON");

    const tables = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table'`.execute(core.db.read);
    const rows = await Promise.all(
      tables.rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(core.db.read)),
    );
    const stored = JSON.stringify(rows.map((table) => table.rows));
    assert.ok(stored.includes(machine.url), "the dump has the controller");
    const basic = Buffer.from(`${machine.username}:${secret}`).toString("base64");
    const backup = await backUp(core.db);
    assert.ok(backup.includes(machine.url), "the backup has the controller");
    const answers = [set, addedOne, addedList, faulty, runs].map(({ text }) => text);
    for (const text of [stored, backup, service.logged.join("\n"), ...answers]) {
      assert.ok(!text.includes(secret) && !text.includes(basic));
    }
    assert.equal((await admin.send("DELETE", path)).status, 204);
  } finally {
    await service.close();
    await machine.stop();
  }
});
