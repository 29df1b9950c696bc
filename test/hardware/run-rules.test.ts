import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  claimedItem,
  endLost,
  listRuns,
  queue,
  runItem,
  takeRun,
  withHardware,
  type HardwareCore,
} from "#test/hardware.ts";
import { operatorCall } from "#test/operators.ts";
import { startRedfishEmulator, type RedfishEmulator } from "#test/redfish-emulator.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork } from "#test/work.ts";
import { createSealing } from "#server/adapters/system/sealing.ts";
import { setMachineController } from "#server/features/machines/set-controller.ts";
import type { CrashingRun } from "./crashing-run.ts";

/** Another process opens what this one has sealed. */
const key = "5e".repeat(32);

forEachEngine((engine) => {
  describe("the rules of runs", () => {
    let testCore: TestCore;
    let core: HardwareCore;
    let machine: RedfishEmulator;
    before(async () => {
      testCore = await createTestCore(engine);
      const sealing = createSealing(async () => [Buffer.from(key, "hex")]);
      core = withHardware({ ...testCore.core, sealing });
      machine = await startRedfishEmulator();
    });
    after(async () => {
      await machine.stop();
      await testCore.dispose();
    });
    beforeEach(() => machine.reset());

    const start = (action = "reboot") => claimedItem(core, machine.controller, action);
    const latest = async (workId: string) => (await valueOf(listRuns(core, workId))).runs[0];

    test("one key queues one run, and repeats its answer", async () => {
      const item = await start();
      const first = await valueOf(queue(core, item, undefined, "same key"));
      const second = await valueOf(queue(core, item, undefined, "same key"));
      assert.deepEqual([second.body, second.replayed], [first.body, true]);
      assert.equal(await codeOf(queue(core, item, "status", "same key")), "idempotency_conflict");
      await takeRun(core);
    });

    test("of two runs at once on one machine, one is a conflict", async () => {
      const item = await start();
      const codes = await Promise.all([codeOf(queue(core, item)), codeOf(queue(core, item))]);
      assert.deepEqual(codes.toSorted(), ["conflict", "ok"]);
      assert.equal((await takeRun(core))?.machineId, item.machineId);
    });

    test("without the claim, a controller or configured networks, a run is a conflict", async () => {
      const item = await start();
      const other = { ...item, call: await operatorCall(core, "admin") };
      assert.equal(await codeOf(queue(core, other)), "conflict");
      const bare = await claimedItem(core, undefined, "reboot");
      assert.equal(await codeOf(queue(core, bare)), "conflict");
      assert.equal(await codeOf(queue(testCore.core, item)), "conflict");
      assert.equal(await codeOf(queue(core, item, "force")), "conflict");
      assert.deepEqual((await valueOf(listRuns(core, item.workId))).runs, []);
    });

    test("an item cannot end while a run may still change its machine", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      assert.equal(await codeOf(completeWork(core, item.call, item.workId, {})), "conflict");
      const failed = failWork(core, item.call, item.workId, { reason: "not today" });
      assert.equal(await codeOf(failed), "conflict");
      await takeRun(core);
    });

    test("a run whose claim has ended does not begin", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      testCore.clock.advance(core.rules.leaseMs);
      await valueOf(claimWork(core, await operatorCall(core, "support"), item.workId));
      assert.equal(await takeRun(core), undefined);
      assert.equal((await latest(item.workId))?.state, "FAILED");
      assert.deepEqual(machine.requests, []);
    });

    test("a killed instance leaves its run UNKNOWN, and nothing resumes it", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      const options: CrashingRun = {
        engine,
        location: testCore.location,
        key,
        at: testCore.clock.now(),
      };
      const child = spawn(
        process.execPath,
        [new URL("crashing-run.ts", import.meta.url).pathname, JSON.stringify(options)],
        { stdio: "inherit" },
      );
      const [, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      assert.equal(signal, "SIGKILL");
      assert.equal((await latest(item.workId))?.state, "RUNNING");
      assert.equal(machine.accepted?.power, "Off", "the command was accepted");
      assert.equal(await codeOf(queue(core, item)), "conflict");
      await endLost(core);
      assert.equal((await latest(item.workId))?.state, "RUNNING", "its lease has not expired");
      testCore.clock.advance(120_000);
      await endLost(core);
      const lost = await latest(item.workId);
      assert.equal(lost?.state, "UNKNOWN");
      assert.match(lost?.evidence.at(-1)?.answer ?? "", /look at the machine/);
      assert.equal(await takeRun(core), undefined);
      const read = await runItem(core, item, "status");
      assert.equal(read.state, "SUCCEEDED", read.reason);
    });

    test("the power state is known with its time", async () => {
      const item = await start();
      assert.equal((await valueOf(listRuns(core, item.workId))).power, null);
      await runItem(core, item, "status");
      const { power } = await valueOf(listRuns(core, item.workId));
      assert.deepEqual(power, { state: "ON", at: core.clock.now() });
    });

    test("a controller outside the configured networks is refused by its address", async () => {
      const { machineId, call } = await start();
      const addressed = (address: string, driver: "redfish" | "ipmi" = "redfish", on = core) =>
        fieldsOf(
          setMachineController(on, call, {
            machineId,
            driver,
            address,
            username: "u",
            credential: "c",
          }),
        );
      for (const address of [
        ...["https://192.0.2.7:443", "https://bmc.example:443", "https://127.0.0.1"],
        ...["http://127.0.0.1:443", "https://[::1]:443", "https://127.0.0.1:0", "127.0.0.1:623"],
        ...["https://u@127.0.0.1:443", "https://127.0.0.1:443/x", "https://127.1:443"],
      ]) {
        assert.equal((await addressed(address))?.[0]?.field, "address", address);
      }
      assert.equal((await addressed("https://127.0.0.1:443", "ipmi"))?.[0]?.field, "address");
      const { hardware: _, ...without } = core;
      const refused = await addressed("https://127.0.0.1:443", "redfish", without as HardwareCore);
      assert.equal(refused?.[0]?.field, "address");
      assert.equal(await addressed("127.0.0.1:623", "ipmi"), undefined);
    });
  });
});
