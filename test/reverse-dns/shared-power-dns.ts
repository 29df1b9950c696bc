import { after, before } from "node:test";
import { skipWithout } from "#test/components.ts";
import { startPowerDns, type PowerDns } from "#test/powerdns.ts";

/** One PowerDNS for all tests of a file. `skip` says why they cannot run here, or is false. */
export async function sharedPowerDns() {
  const skip = await skipWithout("powerdns");
  let started: PowerDns | undefined;
  if (skip === false) {
    before(async () => {
      started = await startPowerDns();
    });
    after(() => started?.stop());
  }
  return {
    skip,
    powerDns: () => {
      if (started === undefined) throw new Error("PowerDNS is started before the first test.");
      return started;
    },
  };
}
