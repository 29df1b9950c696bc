import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  claimedItem,
  observedIn,
  runItem,
  withHardware,
  type HardwareCore,
} from "#test/hardware.ts";
import { startRedfishEmulator, type RedfishEmulator } from "#test/redfish-emulator.ts";
import { readWork } from "#test/work.ts";
import { valueOf } from "#test/use-cases.ts";

forEachEngine((engine) => {
  describe("runs over Redfish", () => {
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

    const start = (action: string, change?: object) =>
      claimedItem(core, { ...machine.controller, ...change }, action);
    const resets = () =>
      machine.requests.flatMap((line) => /"ResetType":"(\w+)"/.exec(line)?.slice(1) ?? []);

    test("a reboot sees the machine off twice before it powers it on, and never completes the item", async () => {
      machine.behaviour = { slowReads: 2, needsSlash: true };
      const item = await start("reboot");
      const run = await runItem(core, item);
      assert.equal(run.state, "SUCCEEDED", run.reason);
      assert.deepEqual(resets(), ["ForceOff", "On"]);
      const seen = observedIn(run).filter((text) => text?.startsWith("power"));
      const states = seen.filter((text, index) => text !== seen[index - 1]);
      assert.deepEqual(states, ["power ON", "power OFF", "power ON"]);
      assert.ok(seen.filter((text) => text === "power OFF").length >= 2);
      const work = await valueOf(readWork(core, item.workId));
      assert.equal(work.state, "CLAIMED");
    });

    test("a reboot of a machine that is off only powers it on", async () => {
      machine.power = "Off";
      const run = await runItem(core, await start("reboot"));
      assert.deepEqual([run.state, resets()], ["SUCCEEDED", ["On"]]);
    });

    test("a power-off asks for a shutdown and cuts the power only when the operator says so", async () => {
      machine.behaviour = { ignoresShutdown: true };
      const item = await start("power_off");
      const hasty = withHardware(testCore.core, undefined, { shutDownMs: 20 });
      const asked = await runItem(hasty, item);
      assert.deepEqual([asked.state, resets()], ["FAILED", ["GracefulShutdown"]]);
      assert.match(asked.reason, /still ON/);
      const forced = await runItem(core, item, "force");
      assert.deepEqual([forced.state, forced.step, machine.power], ["SUCCEEDED", "force", "Off"]);
      const again = await runItem(core, item);
      assert.match(again.reason, /off already/);
      assert.deepEqual(resets(), ["GracefulShutdown", "ForceOff"]);
    });

    test("a reclaim offers power off", async () => {
      const run = await runItem(core, await start("RECLAIM"));
      assert.deepEqual([run.state, machine.power], ["SUCCEEDED", "Off"]);
    });

    test("a reinstall boots from the network once, in the machine's own mode", async () => {
      machine.boot.mode = "Legacy";
      const run = await runItem(core, await start("reinstall"));
      assert.equal(run.state, "SUCCEEDED", run.reason);
      assert.deepEqual(machine.boot, { target: "Pxe", enabled: "Once", mode: "Legacy" });
      assert.deepEqual(resets(), ["ForceOff", "On"]);
    });

    test("Once that is read back as Continuous is in the evidence with advice", async () => {
      machine.behaviour = { bootsContinuously: true };
      const run = await runItem(core, await start("reinstall"));
      assert.equal(run.state, "SUCCEEDED", run.reason);
      assert.ok(observedIn(run).includes("boot Pxe, Continuous, UEFI; reset it after this boot"));
    });

    test("a boot device that is not kept ends the run before the power cycle", async () => {
      machine.behaviour = { forgetsBoot: true };
      const run = await runItem(core, await start("reinstall"));
      assert.deepEqual([run.state, resets()], ["FAILED", []]);
    });

    for (const mediaBelow of ["system", "manager"] as const) {
      test(`an ISO is inserted from the mirror, with virtual media below the ${mediaBelow}`, async () => {
        machine.behaviour = { mediaBelow, refusesInserted: mediaBelow === "manager" };
        machine.media = "https://old.example/image.iso";
        const item = await start("mount_iso");
        const run = await runItem(core, item);
        assert.equal(run.state, "SUCCEEDED", run.reason);
        const image = `https://mirror.example/iso/${item.actionId ?? ""}.iso`;
        assert.equal(machine.media, image);
        assert.deepEqual([machine.boot.target, machine.boot.enabled], ["Cd", "Once"]);
        assert.ok(observedIn(run).includes(`inserted ${image}`));
      });
    }

    test("kvm records the console's address, and fails where there is none", async () => {
      const run = await runItem(core, await start("kvm"));
      assert.ok(observedIn(run).includes(`console at ${machine.url}/ (KVMIP)`));
      machine.behaviour = { hasConsole: false };
      const none = await runItem(core, await start("kvm"));
      assert.equal(none.state, "FAILED");
      assert.deepEqual(resets(), []);
    });

    test("a status run changes nothing, and an unclear state is not off", async () => {
      const item = await start("reboot");
      assert.equal((await runItem(core, item, "status")).state, "SUCCEEDED");
      machine.power = "PoweringOff";
      const run = await runItem(core, item);
      assert.deepEqual([run.state, resets()], ["FAILED", []]);
    });

    test("a wrong password fails, and the password is in no evidence", async () => {
      const credential = "Wrong-Secret-77";
      machine.behaviour = { echoesPassword: true };
      const run = await runItem(core, await start("reboot", { credential }));
      assert.equal(run.state, "FAILED");
      assert.match(run.reason, /password/);
      assert.ok(!JSON.stringify(run).includes(credential));
      const basic = Buffer.from(`${machine.username}:${credential}`).toString("base64");
      assert.ok(!JSON.stringify(run).includes(basic));
      assert.ok(observedIn(run).some((text) => text?.includes("Basic (secret)")));
    });

    test("another certificate than the pinned one gets not a byte of a request", async () => {
      for (const certificateSha256 of ["0".repeat(64), undefined]) {
        const run = await runItem(core, await start("reboot", { certificateSha256 }));
        assert.equal(run.state, "FAILED");
        assert.match(run.reason, /certificate/);
      }
      assert.deepEqual(machine.requests, []);
    });

    test("a controller with two systems is refused, because either could be this machine", async () => {
      for (const behaviour of [{ systems: 2 }, { strangeLink: true }]) {
        machine.behaviour = behaviour;
        const run = await runItem(core, await start("reboot"));
        assert.deepEqual([run.state, resets()], ["FAILED", []]);
        assert.match(run.reason, /2 systems/);
      }
    });

    test("a dead controller fails: nothing was done", async () => {
      const run = await runItem(core, await start("reboot", { address: "https://127.0.0.1:1" }));
      assert.deepEqual([run.state, observedIn(run)[0]], ["FAILED", null]);
    });

    for (const kind of ["hang", "stall", "drop", "status"] as const) {
      const isSlow = kind === "hang" || kind === "stall";
      test(`a command that is accepted without an answer (${kind}) ends UNKNOWN`, async () => {
        const hasty = withHardware(testCore.core, undefined, {
          callMs: isSlow ? 2_000 : 20_000,
        });
        machine.behaviour = {
          fault: (line) => (line.includes("Reset") ? { kind, after: true } : undefined),
        };
        const run = await runItem(hasty, await start("reboot"));
        assert.equal(run.state, "UNKNOWN", run.reason);
        assert.deepEqual(resets(), ["ForceOff"]);
        assert.match(run.reason, /look at the machine/);
      });

      test(`a read without an answer (${kind}) fails before anything was done`, async () => {
        const hasty = withHardware(testCore.core, undefined, {
          callMs: isSlow ? 2_000 : 20_000,
        });
        machine.behaviour = { fault: () => ({ kind }) };
        const run = await runItem(hasty, await start("reboot"));
        assert.deepEqual([run.state, resets()], ["FAILED", []]);
      });
    }

    /** From the request after one that contains this text. */
    const faultsAfter = (sent: string, fault: { kind: "drop" | "status"; status?: number }) => {
      let hasBegun = false;
      machine.behaviour = {
        fault: (line) => {
          if (hasBegun) return fault;
          hasBegun = line.includes(sent);
          return undefined;
        },
      };
    };

    test("a controller that disappears or refuses reads after a command ends UNKNOWN", async () => {
      const hasty = withHardware(testCore.core, undefined, { powerMs: 50 });
      for (const fault of [{ kind: "drop" }, { kind: "status", status: 401 }] as const) {
        faultsAfter("Reset", fault);
        const run = await runItem(hasty, await start("reboot"));
        assert.equal(run.state, "UNKNOWN", run.reason);
      }
    });

    test("a boot device that cannot be read back ends UNKNOWN and says what to reset", async () => {
      faultsAfter("PATCH", { kind: "drop" });
      const run = await runItem(core, await start("reinstall"));
      assert.deepEqual([run.state, resets()], ["UNKNOWN", []]);
      assert.match(run.reason, /may boot from the network at its next start/);
    });

    test("a command that is refused while the state is known fails", async () => {
      machine.behaviour = {
        fault: (line) =>
          line.includes("Reset") && machine.power === "Off"
            ? { kind: "status", status: 409 }
            : undefined,
      };
      const run = await runItem(core, await start("reboot"));
      assert.deepEqual([run.state, machine.power], ["FAILED", "Off"]);
      assert.match(run.reason, /refused the command \(409\)/);
    });
  });
});
