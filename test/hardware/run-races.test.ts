import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { auditOf } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  claimedItem,
  endLost,
  latestRun,
  listRuns,
  queue,
  runItem,
  takeRun,
  withHardware,
  type ClaimedItem,
  type HardwareCore,
} from "#test/hardware.ts";
import { disableOperator, operatorCall } from "#test/operators.ts";
import { startRedfishEmulator, type RedfishEmulator } from "#test/redfish-emulator.ts";
import { assertInvariantsHold, endServer, setServerState } from "#test/rental.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, releaseWork } from "#test/work.ts";
import { performRun, RunEnded } from "#server/features/hardware/perform-run.ts";
import { changeMachine } from "#server/features/machines/change-machine.ts";
import {
  removeMachineController,
  setMachineController,
} from "#server/features/machines/set-controller.ts";

// What else can happen between the request for a run and its end.
forEachEngine((engine) => {
  describe("changes during a run", () => {
    let testCore: TestCore;
    let core: HardwareCore;
    let machine: RedfishEmulator;
    before(async () => {
      testCore = await createTestCore(engine);
      core = withHardware(testCore.core);
      machine = await startRedfishEmulator();
    });
    after(async () => {
      await machine.stop();
      await testCore.dispose();
    });
    beforeEach(() => machine.reset());

    const start = (action = "reboot") => claimedItem(core, machine.controller, action);
    /** Calls this once, after the first command was sent and before its answer. */
    const duringCommand = (happens: () => Promise<unknown>) => {
      let isDone = false;
      machine.behaviour = {
        fault: async (line) => {
          if (!isDone && line.includes("Reset")) {
            isDone = true;
            await happens();
          }
          return undefined;
        },
      };
    };
    const resets = () =>
      machine.requests.flatMap((line) => /"ResetType":"(\w+)"/.exec(line)?.slice(1) ?? []);
    const otherOperator = async (item: ClaimedItem): Promise<ClaimedItem> => ({
      ...item,
      call: await operatorCall(core, "support"),
    });

    test("of two instances, one takes a run", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      const taken = await Promise.all([takeRun(core), takeRun(core), takeRun(core)]);
      assert.equal(taken.filter((run) => run !== undefined).length, 1);
    });

    test("a run whose lease was lost sends nothing more, and stays UNKNOWN", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      const run = await takeRun(core);
      assert.ok(run);
      duringCommand(async () => {
        testCore.clock.advance(120_000);
        await endLost(core);
      });
      await assert.rejects(performRun(core, run, new AbortController().signal), RunEnded);
      assert.deepEqual(resets(), ["ForceOff"]);
      assert.equal((await latestRun(core, item)).state, "UNKNOWN");
    });

    test("a stopped service ends its run UNKNOWN after a command", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      const run = await takeRun(core);
      assert.ok(run);
      const stopping = new AbortController();
      duringCommand(async () => stopping.abort());
      await performRun(core, run, stopping.signal);
      const { state, reason } = await latestRun(core, item);
      assert.deepEqual([state, resets()], ["UNKNOWN", ["ForceOff"]]);
      assert.match(reason, /service was stopped during the run/);
    });

    test("another operator who takes over the claim can neither run nor complete until the run ends", async () => {
      const item = await start();
      const other = await otherOperator(item);
      const codes: string[] = [];
      duringCommand(async () => {
        await valueOf(releaseWork(core, item.call, item.workId));
        await valueOf(claimWork(core, other.call, item.workId));
        codes.push(await codeOf(queue(core, other, "status")));
        codes.push(await codeOf(completeWork(core, other.call, item.workId, {})));
      });
      const run = await runItem(core, item);
      assert.deepEqual([run.state, codes], ["SUCCEEDED", ["conflict", "conflict"]]);
      await valueOf(completeWork(core, other.call, item.workId, {}));
      const [, action, detail] = (await auditOf(core, item.workId)).at(-1) ?? [];
      assert.equal(action, "work.complete");
      assert.equal((detail as { runId?: string }).runId, run.id);
    });

    test("the controller stays as it is during a run", async () => {
      const item = await start();
      const { call, machineId } = item;
      const codes: string[] = [];
      duringCommand(async () => {
        codes.push(
          await codeOf(setMachineController(core, call, { ...machine.controller, machineId })),
        );
        codes.push(await codeOf(removeMachineController(core, call, machineId)));
      });
      assert.equal((await runItem(core, item)).state, "SUCCEEDED");
      assert.deepEqual(codes, ["conflict", "conflict"]);
      await valueOf(removeMachineController(core, call, machineId));
      const actions = (await auditOf(core, machineId)).map(([, action]) => action);
      assert.deepEqual(actions, ["machine.set_controller", "machine.remove_controller"]);
    });

    test("a run whose controller was removed before it began fails", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      const run = await takeRun(core);
      assert.ok(run);
      const none = { ...run, machineId: "mch_none" };
      await performRun(core, none, new AbortController().signal);
      assert.equal((await latestRun(core, item)).state, "FAILED");
      assert.deepEqual(machine.requests, []);
    });

    test("a server that ends during a run cannot give its machine away before the run has ended", async () => {
      const item = await start();
      const { call, machineId } = item;
      const free = () => changeMachine(core, call, { machineId, state: "FREE" });
      const codes: string[] = [];
      duringCommand(async () => {
        await endServer(core, item.accountId, item.server);
        codes.push(await codeOf(free()));
      });
      assert.equal((await runItem(core, item)).state, "SUCCEEDED");
      assert.deepEqual(codes, ["conflict"]);
      await valueOf(free());
      await assertInvariantsHold(core.db);
    });

    test("a queued run of an operator who was disabled does not begin", async () => {
      const item = await start();
      await valueOf(queue(core, item));
      await valueOf(disableOperator(core, item.call.operator.username));
      assert.equal(await takeRun(core), undefined);
      const { state, reason } = await latestRun(core, item);
      assert.deepEqual([state, machine.requests], ["FAILED", []]);
      assert.match(reason, /operator was disabled/);
    });

    test("no run powers on the machine of a suspended server, even if it was queued before", async () => {
      const [reboot, powerOff] = [await start(), await start("power_off")];
      await valueOf(queue(core, reboot));
      await setServerState(core, reboot.server, "SUSPENDED");
      assert.equal(await takeRun(core), undefined);
      assert.match((await latestRun(core, reboot)).reason, /suspended before the run began/);
      assert.equal(await codeOf(queue(core, reboot)), "conflict");
      const { offers, byHand } = await valueOf(listRuns(core, reboot.workId));
      assert.deepEqual(
        offers.map(({ step }) => step),
        ["status"],
      );
      assert.match(byHand ?? "", /suspended/);
      await setServerState(core, powerOff.server, "SUSPENDED");
      assert.equal((await runItem(core, powerOff)).state, "SUCCEEDED");
      assert.equal(machine.power, "Off");
    });
  });
});
