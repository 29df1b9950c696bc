import { setTimeout as pause } from "node:timers/promises";
import type { HardwareTimes } from "#kernel/hardware.ts";
import {
  ControllerRefused,
  ControllerSilent,
  ControllerUnreachable,
  type BootDevice,
  type Controller,
  type Power,
  type PowerCommand,
} from "#ports/controllers.ts";

/** A machine during a run: its controller, and what the run knows about it. */
export interface Machine {
  power(): Promise<Power | undefined>;
  /** After a command, the machine's state is unknown until it is seen. */
  command(what: PowerCommand): Promise<void>;
  /** Reads until the state is seen twice in a row. Resolves to the state that was seen last. */
  waitFor(power: Power, withinMs: number): Promise<Power | undefined>;
  /** Sets the device of the next start and reads it back. */
  bootOnce(device: BootDevice): Promise<void>;
  /** Inserts an image and reads it back. */
  insertMedia(url: string): Promise<void>;
  console(): Promise<void>;
  /** False while a change may or may not have been carried out. */
  isStateKnown(): boolean;
  /** What the run has set for the next start of a machine that it has not started yet. */
  pendingBoot(): BootDevice | undefined;
  readonly times: HardwareTimes;
}

/** The machine is known to be in another state than the run waited for. */
export class StateNotSeen extends Error {
  override readonly name = "StateNotSeen";
}

interface Options {
  readonly times: HardwareTimes;
  readonly signal: AbortSignal;
  readonly onPower: (power: Power) => Promise<void>;
}

export function createMachine(
  controller: Controller,
  { times, signal, onPower }: Options,
): Machine {
  let isKnown = true;
  let pendingBoot: BootDevice | undefined;
  const change = async (call: () => Promise<void>): Promise<void> => {
    const before = isKnown;
    isKnown = false;
    try {
      await call();
    } catch (error) {
      // The controller did nothing.
      if (error instanceof ControllerRefused || error instanceof ControllerUnreachable) {
        isKnown = before;
      }
      throw error;
    }
  };
  const readBack = async (what: string, isKept: () => Promise<boolean>): Promise<void> => {
    const kept = await isKept();
    isKnown = true;
    if (!kept) throw new StateNotSeen(`The controller did not keep the ${what}.`);
  };
  const power = async (): Promise<Power | undefined> => {
    const seen = await controller.power();
    if (seen !== undefined) await onPower(seen);
    return seen;
  };
  /** While polling, a controller that gives no answer may give the next one. */
  const poll = async (): Promise<Power | undefined> => {
    try {
      return await power();
    } catch (error) {
      if (error instanceof ControllerSilent || error instanceof ControllerUnreachable) {
        return undefined;
      }
      throw error;
    }
  };
  const seeTwice = async (wanted: Power, withinMs: number): Promise<Power | undefined> => {
    const overdue = AbortSignal.timeout(withinMs);
    let last: Power | undefined;
    do {
      const before = last;
      last = await poll();
      if (last === wanted && before === wanted) return wanted;
      await pause(times.pollMs, undefined, { signal });
    } while (!overdue.aborted);
    return last === wanted ? undefined : last;
  };
  return {
    power,
    times,
    command: (what) => change(() => controller.command(what)),
    waitFor: async (wanted, withinMs) => {
      const seen = await seeTwice(wanted, withinMs);
      if (seen !== undefined) isKnown = true;
      if (wanted === "ON" && seen === "ON") pendingBoot = undefined;
      return seen;
    },
    bootOnce: async (device) => {
      await change(() => controller.bootOnce(device));
      pendingBoot = device;
      await readBack("boot device", async () => (await controller.bootDevice()) === device);
    },
    insertMedia: async (url) => {
      await change(() => controller.insertMedia(url));
      await readBack("image", async () => (await controller.media()) === url);
    },
    console: () => controller.console(),
    isStateKnown: () => isKnown,
    pendingBoot: () => pendingBoot,
  };
}
