import { createIpmi } from "#adapters/controller-ipmi/ipmi-controller.ts";
import { connectRedfish } from "#adapters/controller-redfish/redfish-controller.ts";
import type { Config } from "#config.ts";
import { defaultHardwareTimes, type Hardware, type HardwareTimes } from "#kernel/hardware.ts";

/** Undefined when no network of controllers is configured. */
export function createHardware(
  { hardwareNetworks, isoMirror, ipmitool }: Config,
  times: HardwareTimes = defaultHardwareTimes,
): Hardware | undefined {
  if (hardwareNetworks === undefined) return undefined;
  const drivers = { redfish: connectRedfish, ipmi: createIpmi(ipmitool) };
  return { drivers, networks: hardwareNetworks, isoMirror, times };
}
