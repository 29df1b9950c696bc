import {
  ControllerRefused,
  ControllerSilent,
  ControllerUnreachable,
  type ConnectController,
  type Power,
} from "#ports/controllers.ts";
import { runIpmitool, type ToolOutput } from "./ipmitool.ts";

const verbs = { ON: "on", OFF: "off", SHUT_DOWN: "soft" } as const;

/** Connects controllers that speak IPMI 2.0, through the program `ipmitool`. */
export const createIpmi =
  (program: string): ConnectController =>
  (target, calls) => {
    const run = async (
      verb: readonly string[],
      observe: (output: string) => string | null = () => null,
    ): Promise<string> => {
      const request = `ipmitool ${verb.join(" ")}`;
      const output = await runIpmitool(program, target, verb, calls);
      const failure = failureOf(output);
      const answer = failure?.message ?? output.stdout.trim();
      const observed = failure === undefined ? observe(output.stdout) : null;
      await calls.record({ request, answer, observed });
      if (failure !== undefined) throw failure;
      return output.stdout;
    };

    return {
      power: async () => powerIn(await run(["chassis", "power", "status"], observePower)),
      command: async (what) => void (await run(["chassis", "power", verbs[what]])),
      bootOnce: async (device) => {
        if (device === "CD") throw new ControllerRefused("IPMI has no virtual media.");
        await run(["chassis", "bootdev", "pxe", "options=efiboot"]);
      },
      bootDevice: async () => {
        const kept = await run(["chassis", "bootparam", "get", "5"], observeBoot);
        return /Force PXE/i.test(kept) ? "NETWORK" : undefined;
      },
      insertMedia: async () => {
        throw new ControllerRefused("IPMI has no virtual media.");
      },
      media: async () => undefined,
      console: async () => {
        throw new ControllerRefused("IPMI has no graphical console.");
      },
    };
  };

/** The causes differ only in what `-v` prints. */
function failureOf({ code, stdout, stderr, isOverdue }: ToolOutput): Error | undefined {
  if (code === 0) return undefined;
  const all = stdout + stderr;
  if (isOverdue) return new ControllerSilent("The controller did not answer in time.");
  if (all.includes("HMAC is invalid")) {
    return new ControllerRefused(
      "The controller refused the password. Set the controller again with the right one.",
    );
  }
  if (/unauthorized name/i.test(all)) {
    return new ControllerRefused(
      "The controller does not know the username. Set the controller again with the right one.",
    );
  }
  if (/Get Auth Capabilities|Unable to establish|Could not open socket|Address lookup/i.test(all)) {
    return new ControllerUnreachable(
      "The controller cannot be reached. Check its address and network.",
    );
  }
  const said = /Control to [^:\n]{1,40} failed: ([\w ,]{1,80})/.exec(all)?.[1];
  if (said !== undefined) return new ControllerRefused(`The controller answered: ${said.trim()}.`);
  return new ControllerSilent("ipmitool failed without a known reason.");
}

function powerIn(output: string): Power | undefined {
  const word = /Chassis Power is (on|off)\b/i.exec(output)?.[1]?.toLowerCase();
  if (word === "on") return "ON";
  return word === "off" ? "OFF" : undefined;
}

function observePower(output: string): string {
  return `power ${powerIn(output) ?? "unknown"}`;
}

function observeBoot(output: string): string {
  const device = /Boot Device Selector : ([\w /-]{1,60})/.exec(output)?.[1]?.trim() ?? "unknown";
  const once = /only next boot/i.test(output) ? "Once" : "Continuous; reset it after this boot";
  return `boot ${device}, ${once}`;
}
