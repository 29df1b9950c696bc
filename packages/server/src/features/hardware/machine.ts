import { setTimeout as pause } from "node:timers/promises";
import type { HardwareTimes } from "#kernel/hardware.ts";
import {
  ControllerRefused,
  ControllerSilent,
  ControllerUnreachable,
  type Controller,
  type Power,
  type PowerCommand,
} from "#ports/controllers.ts";

/** A machine during a run: its controller, and what the run has done so far. */
export interface Machine extends Pick<Controller, "insertMedia" | "bootOnce" | "console"> {
  power(): Promise<Power | undefined>;
  /** After a command, the machine's state is unknown until it is read again. */
  command(what: PowerCommand): Promise<void>;
  /** Reads until the state is seen twice in a row. Resolves to the state that was seen last. */
  waitFor(power: Power, withinMs: number): Promise<Power | undefined>;
  hasCommanded(): boolean;
  readonly times: HardwareTimes;
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
  let hasCommanded = false;
  /** Commands that were not delivered changed nothing. */
  const commanding = async <T>(call: () => Promise<T>): Promise<T> => {
    const before = hasCommanded;
    hasCommanded = true;
    try {
      return await call();
    } catch (error) {
      if (error instanceof ControllerRefused || error instanceof ControllerUnreachable) {
        hasCommanded = before;
      }
      throw error;
    }
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
  return {
    power,
    times,
    command: (what) => commanding(() => controller.command(what)),
    bootOnce: (device) => commanding(() => controller.bootOnce(device)),
    insertMedia: (url) => commanding(() => controller.insertMedia(url)),
    console: () => controller.console(),
    hasCommanded: () => hasCommanded,
    waitFor: async (wanted, withinMs) => {
      const overdue = AbortSignal.timeout(withinMs);
      let last: Power | undefined;
      do {
        const before = last;
        last = await poll();
        if (last === wanted && before === wanted) return wanted;
        await pause(times.pollMs, undefined, { signal });
      } while (!overdue.aborted);
      return last === wanted ? undefined : last;
    },
  };
}
