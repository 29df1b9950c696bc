import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import {
  claimedItem,
  observedIn,
  queue,
  runItem,
  withHardware,
  type HardwareCore,
} from "#test/hardware.ts";
import { startIpmiSim, type IpmiSim } from "#test/ipmi-sim.ts";
import { startUdpRelay, type UdpRelay } from "#test/udp-relay.ts";

// One engine is enough, because `redfish-runs.test.ts` tests what is stored on both.
describe("runs over IPMI", { skip: await skipWithout("ipmi") }, () => {
  let testCore: TestCore;
  let core: HardwareCore;
  let machine: IpmiSim;
  before(async () => {
    machine = await startIpmiSim();
    testCore = await createTestCore("sqlite");
    core = withHardware(testCore.core, machine.ipmitool);
  });
  after(async () => {
    await testCore.dispose();
    await machine.stop();
  });
  beforeEach(async () => {
    await machine.set("power", "1");
    await machine.set("boot", "none");
    await machine.onShutdown("power off");
  });

  const start = (action: string, change: object = {}) => {
    const { address, username, password: credential } = machine;
    return claimedItem(core, { driver: "ipmi", address, username, credential, ...change }, action);
  };
  const refusalOf = async (action: string) => {
    const result = await queue(core, await start(action));
    return result.ok ? "" : `${result.refusal.code}: ${result.refusal.message ?? ""}`;
  };

  test("a reboot sees the machine off and then on", async () => {
    const run = await runItem(core, await start("reboot"));
    assert.equal(run.state, "SUCCEEDED", run.reason);
    const seen = observedIn(run).filter((text) => text?.startsWith("power"));
    const states = seen.filter((text, index) => text !== seen[index - 1]);
    assert.deepEqual(states, ["power ON", "power OFF", "power ON"]);
    assert.equal(await machine.get("power"), "1");
  });

  test("a power-off asks for a shutdown, and cuts the power with the step force", async () => {
    await machine.onShutdown("ignore");
    const item = await start("power_off");
    const hasty = withHardware(testCore.core, machine.ipmitool, { shutDownMs: 20 });
    const asked = await runItem(hasty, item);
    assert.equal(asked.state, "FAILED");
    assert.equal(await machine.get("power"), "1");
    assert.equal((await runItem(core, item, "force")).state, "SUCCEEDED");
    assert.equal(await machine.get("power"), "0");
  });

  test("a reclaim shuts the machine down", async () => {
    assert.equal((await runItem(core, await start("RECLAIM"))).state, "SUCCEEDED");
    assert.equal(await machine.get("power"), "0");
  });

  test("a reinstall boots from the network once", async () => {
    const run = await runItem(core, await start("reinstall"));
    assert.equal(run.state, "SUCCEEDED", run.reason);
    assert.equal(await machine.get("boot"), "pxe");
    assert.ok(observedIn(run).includes("boot Force PXE, Once"));
  });

  test("what IPMI cannot do is a conflict that says so", async () => {
    assert.match(await refusalOf("mount_iso"), /^conflict: IPMI has no virtual media/);
    assert.match(await refusalOf("kvm"), /^conflict: IPMI has no graphical console/);
    assert.match(await refusalOf("rotate_root_password"), /^conflict: A controller cannot change/);
  });

  test("a wrong password, an unknown user and a dead controller fail with their own reasons", async () => {
    const credential = "Wrong-Secret-78";
    const wrong = await runItem(core, await start("reboot", { credential }));
    assert.deepEqual([wrong.state, /refused the password/.test(wrong.reason)], ["FAILED", true]);
    assert.ok(!JSON.stringify(wrong).includes(credential));
    const unknown = await runItem(core, await start("reboot", { username: "other" }));
    assert.deepEqual([unknown.state, /username/.test(unknown.reason)], ["FAILED", true]);
    const dead = await runItem(core, await start("reboot", { address: "127.0.0.1:9" }));
    assert.deepEqual([dead.state, /cannot be reached/.test(dead.reason)], ["FAILED", true]);
  });

  test("a call that exceeds its time limit fails while nothing was done", async () => {
    const hasty = withHardware(testCore.core, machine.ipmitool, { callMs: 1 });
    const run = await runItem(hasty, await start("reboot"));
    assert.deepEqual([run.state, await machine.get("power")], ["FAILED", "1"]);
    assert.match(run.reason, /in time/);
  });

  describe("on a bad connection", () => {
    let relay: UdpRelay;
    before(async () => {
      relay = await startUdpRelay(Number(machine.address.split(":")[1]));
    });
    after(() => relay.stop());
    const startBehind = () => start("power_off", { address: `127.0.0.1:${relay.port}` });

    test("a command that is carried out but never answered ends UNKNOWN", async () => {
      relay.passes = async () => (await machine.get("power")) === "1";
      const run = await runItem(core, await startBehind(), "force");
      assert.deepEqual([run.state, await machine.get("power")], ["UNKNOWN", "0"]);
      assert.match(run.reason, /look at the machine/);
    });

    test("a controller that hangs fails while nothing was done", async () => {
      relay.passes = (from) => from === "client";
      const hasty = withHardware(testCore.core, machine.ipmitool, { callMs: 500 });
      const run = await runItem(hasty, await startBehind(), "force");
      assert.deepEqual([run.state, await machine.get("power")], ["FAILED", "1"]);
    });
  });

  test("a controller is reached at its IPv6 address", async (t) => {
    const six = await startIpmiSim("::1");
    t.after(() => six.stop());
    const on = { ...core, hardware: { ...core.hardware, networks: ["::1"] } };
    const { address, username, password: credential } = six;
    const item = await claimedItem(
      on,
      { driver: "ipmi", address, username, credential },
      "power_off",
    );
    const run = await runItem(on, item, "status");
    assert.equal(run.state, "SUCCEEDED", run.reason);
  });

  test("without ipmitool the run fails and says what to install", async () => {
    const run = await runItem(withHardware(testCore.core), await start("reboot"));
    assert.equal(run.state, "FAILED");
    assert.match(run.reason, /Install ipmitool/);
  });
});
