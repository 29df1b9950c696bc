import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { readyComponent, skipWithout } from "#test/components.ts";
import { startRedfishEmulator, type RedfishEmulator } from "#test/redfish-emulator.ts";

/** Reads, powers off, and sets a one-time boot, through the library that OpenStack uses. */
const sushyScript = `
import sys, warnings
warnings.simplefilter("ignore")
import sushy
from sushy import auth
url, user, password = sys.argv[1:]
s = sushy.Sushy(url, auth=auth.BasicAuth(user, password), verify=False)
system = s.get_system("/redfish/v1/Systems/1")
print(system.power_state.value)
system.set_system_boot_options(sushy.BootSource.PXE, enabled=sushy.BootSourceOverrideEnabled.ONCE, mode=sushy.BootSourceOverrideMode.UEFI)
media = s.get_manager("/redfish/v1/Managers/bmc").virtual_media.get_members()[0]
media.insert_media("https://mirror.example/a.iso")
system.reset_system(sushy.ResetType.FORCE_OFF)
system.refresh(force=True)
print(system.power_state.value, system.boot.target.value, system.boot.enabled.value)
`;

// The emulator of other tests is our own, so clients of other projects check that it speaks Redfish.
describe("the Redfish emulator", { skip: await skipWithout("redfish") }, () => {
  let machine: RedfishEmulator;
  before(async () => {
    machine = await startRedfishEmulator();
  });
  after(() => machine.stop());

  const run = async (program: string, parameters: readonly string[]) => {
    const { environment } = await readyComponent("redfish");
    const env = { PATH: process.env["PATH"], ...environment };
    const { stdout } = await promisify(execFile)(program, parameters, { env, timeout: 60_000 });
    return stdout;
  };

  test("answers redfishtool", async () => {
    machine.reset();
    const { programs } = await readyComponent("redfish");
    const { username, password } = machine;
    const tool = (...verb: string[]) =>
      run(programs["redfishtool"] ?? "", [
        ...["-r", new URL(machine.url).host, "-S", "Always", "-A", "Basic"],
        ...["-u", username, "-p", password, "Systems", ...verb],
      ]);
    const system = JSON.parse(await tool("-1")) as { PowerState: string };
    assert.equal(system.PowerState, "On");
    await tool("-1", "reset", "ForceOff");
    assert.equal(machine.accepted?.power, "Off");
  });

  test("answers sushy", async () => {
    machine.reset();
    const { url, username, password } = machine;
    const output = await run("/usr/bin/python3", ["-c", sushyScript, url, username, password]);
    assert.deepEqual(output.trim().split("\n"), ["On", "Off Pxe Once"]);
    assert.equal(machine.media, "https://mirror.example/a.iso");
  });
});
