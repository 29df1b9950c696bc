import { checkControllerAddress, type Hardware } from "#kernel/hardware.ts";
import type { HardwareProgram } from "#kernel/hardware-programs.ts";
import { addEvidence, endRun, type RunEnd } from "#kernel/hardware-runs.ts";
import { controllerContext, findController, recordPower } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { UnknownSealingKey } from "#ports/sealing.ts";
import {
  ControllerRefused,
  ControllerUnreachable,
  type Controller,
  type Exchange,
} from "#ports/controllers.ts";
import { createMachine } from "./machine.ts";
import { perform, StateNotSeen } from "./programs.ts";

/** A run that this instance has taken. */
export interface TakenRun {
  readonly id: string;
  readonly machineId: string;
  readonly program: HardwareProgram;
  readonly actionId: string | null;
}

type RunCore = Core & { readonly hardware: Hardware };

interface End {
  readonly state: RunEnd;
  readonly reason: string;
}

/** Carries out a run, which is RUNNING already, and ends it. Other errors leave it to its lease. */
export async function performRun(core: RunCore, run: TakenRun, stop: AbortSignal): Promise<void> {
  const end = await carryOut(core, run, stop);
  await core.db.write(async (tx) => {
    await endRun({ tx, core }, run.id, end.state, end.reason);
    return ok();
  });
}

async function carryOut(core: RunCore, run: TakenRun, stop: AbortSignal): Promise<End> {
  const opened = await openController(core, run, stop);
  if ("reason" in opened) return opened;
  const { hardware } = core;
  const machine = createMachine(opened.controller, {
    times: hardware.times,
    signal: stop,
    onPower: async (power) => {
      const { address } = opened;
      await core.db.write(async (tx) => {
        await recordPower(tx, run.machineId, { address, power, at: core.clock.now() });
        return ok();
      });
    },
  });
  try {
    const reason = await perform(machine, { ...run, isoMirror: hardware.isoMirror });
    return { state: "SUCCEEDED", reason };
  } catch (error) {
    return endAfter(error, machine.hasCommanded());
  }
}

/**
 * FAILED means that the machine's state is known. After a command, a controller that cannot be asked leaves it
 * unknown, and so does a command without an answer.
 */
function endAfter(error: unknown, hasCommanded: boolean): End {
  if (error instanceof RunEnded) throw error;
  const reason = error instanceof Error ? error.message : "The run failed.";
  if (error instanceof ControllerRefused || error instanceof StateNotSeen) {
    return { state: "FAILED", reason };
  }
  if (error instanceof ControllerUnreachable && !hasCommanded) return { state: "FAILED", reason };
  const advice = "Read the power state and look at the machine before you run anything else.";
  return hasCommanded
    ? { state: "UNKNOWN", reason: `${reason} ${advice}` }
    : { state: "FAILED", reason };
}

/** The run was ended by its lease while this instance still worked on it. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

interface Opened {
  readonly controller: Controller;
  readonly address: string;
}

async function openController(
  core: RunCore,
  { id, machineId }: TakenRun,
  signal: AbortSignal,
): Promise<Opened | End> {
  const failed = (reason: string): End => ({ state: "FAILED", reason });
  const stored = await findController(core.db.read, machineId);
  if (stored === undefined) return failed("The machine has no controller any more.");
  const { driver, address } = stored;
  // Checked again, because the networks may have changed since the controller was set.
  const checked = checkControllerAddress(core.hardware, driver, address);
  if (!checked.ok) return failed(`The controller's address ${checked.message}.`);
  const credential = await openCredential(core, machineId, stored.credential);
  if (credential === undefined) {
    return failed(
      "The controller's password is sealed with a key that the key file does not have. Set the controller again.",
    );
  }
  let position = 0;
  const record = async (exchange: Exchange): Promise<void> => {
    position += 1;
    const added = await core.db.write(async (tx) => {
      const isLiving = await addEvidence({ tx, core }, id, position, exchange);
      return isLiving ? ok() : refuse("conflict");
    });
    if (!added.ok) throw new RunEnded(`the run ${id} has ended already`);
  };
  const connect = core.hardware.drivers[driver];
  const { callMs } = core.hardware.times;
  return { address, controller: connect({ ...stored, credential }, { record, callMs, signal }) };
}

async function openCredential(
  core: Core,
  machineId: string,
  sealed: string,
): Promise<string | undefined> {
  try {
    return await core.sealing.open(sealed, controllerContext(machineId));
  } catch (error) {
    if (error instanceof UnknownSealingKey) return undefined;
    throw error;
  }
}
