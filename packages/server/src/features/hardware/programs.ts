import { mirrorCopy, type HardwareProgram } from "#kernel/hardware-programs.ts";
import { ControllerRefused, ControllerSilent, type Power } from "#ports/controllers.ts";
import { StateNotSeen, type Machine } from "./machine.ts";

interface Task {
  readonly program: HardwareProgram;
  readonly actionId: string | null;
  readonly isoMirror: string | undefined;
}

/** Carries out a program and says what was seen. */
export async function perform(machine: Machine, task: Task): Promise<string> {
  switch (task.program) {
    case "READ_POWER":
      return `The machine is ${(await readPower(machine)).toLowerCase()}.`;
    case "REBOOT":
      await powerCycle(machine);
      return "The machine was seen off and then on.";
    case "SHUT_DOWN":
      return turnOff(machine, "SHUT_DOWN", machine.times.shutDownMs);
    case "FORCE_OFF":
      return turnOff(machine, "OFF", machine.times.powerMs);
    case "NETWORK_BOOT":
      await readPower(machine);
      await machine.bootOnce("NETWORK");
      await powerCycle(machine);
      return "The machine started from the network. Complete the item when its system answers.";
    case "MOUNT_ISO":
      return mountIso(machine, task);
    case "CONSOLE":
      await machine.console();
      return "The address of the console is in the evidence. Hand it over sealed.";
  }
}

async function mountIso(machine: Machine, { isoMirror, actionId }: Task): Promise<string> {
  if (isoMirror === undefined || actionId === null) {
    throw new ControllerRefused("IRONLEASE_ISO_MIRROR is not set.");
  }
  await readPower(machine);
  await machine.insertMedia(mirrorCopy(isoMirror, actionId));
  await machine.bootOnce("CD");
  await powerCycle(machine);
  return "The machine started with the image inserted.";
}

/** An unknown state is not OFF: acting on it could interrupt a machine that is fine. */
async function readPower(machine: Machine): Promise<Power> {
  const power = await machine.power();
  if (power !== undefined) return power;
  throw new StateNotSeen("The controller gave no clear power state.");
}

/** Off is seen before On is sent: controllers that still power off drop it. */
async function powerCycle(machine: Machine): Promise<void> {
  if ((await readPower(machine)) === "ON") {
    await machine.command("OFF");
    await expect(machine, "OFF", machine.times.powerMs, "");
  }
  await machine.command("ON");
  await expect(machine, "ON", machine.times.powerMs, "");
}

async function turnOff(
  machine: Machine,
  command: "OFF" | "SHUT_DOWN",
  withinMs: number,
): Promise<string> {
  if ((await readPower(machine)) === "OFF") return "The machine was off already.";
  await machine.command(command);
  const advice = command === "SHUT_DOWN" ? " Force it off, or wait and read its state again." : "";
  await expect(machine, "OFF", withinMs, advice);
  return "The machine was seen off.";
}

async function expect(
  machine: Machine,
  power: Power,
  withinMs: number,
  advice: string,
): Promise<void> {
  const seen = await machine.waitFor(power, withinMs);
  if (seen === power) return;
  const bound = `within ${Math.ceil(withinMs / 1000)} s`;
  if (seen === undefined) {
    throw new ControllerSilent(`The power state was not seen to be ${power} ${bound}.`);
  }
  throw new StateNotSeen(`The machine is still ${seen} ${bound} after the command.${advice}`);
}
