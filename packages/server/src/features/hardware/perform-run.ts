import { withTrace } from "#kernel/concurrency/trace.ts";
import { checkControllerAddress, type Hardware } from "#kernel/hardware.ts";
import type { HardwareProgram } from "#kernel/hardware-programs.ts";
import { addEvidence, endRun, type RunEnd } from "#kernel/hardware-runs.ts";
import { controllerContext, findController, recordPower } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { openSealed } from "#kernel/sealed-secrets.ts";
import {
  ControllerRefused,
  ControllerSilent,
  ControllerUnreachable,
  type Controller,
  type Exchange,
  type Power,
} from "#ports/controllers.ts";
import { createMachine, StateNotSeen, type Machine } from "./machine.ts";
import { perform } from "./programs.ts";
import { createRedaction, redacted } from "./redaction.ts";

/** A run that this instance has taken. */
export interface TakenRun {
  readonly id: string;
  readonly machineId: string;
  readonly program: HardwareProgram;
  readonly actionId: string | null;
  /** Of the operator's request. */
  readonly traceparent: string | null;
}

type RunCore = Core & { readonly hardware: Hardware };

interface End {
  readonly state: RunEnd;
  readonly reason: string;
  /** A failure of the service itself, which is reported too. */
  readonly failure?: Error;
}

/** Carries out a run, which is RUNNING already, and ends it. If that fails too, the lease ends it. */
export async function performRun(core: RunCore, run: TakenRun, stop: AbortSignal): Promise<void> {
  const trace = run.traceparent ?? undefined;
  const { state, reason, failure } = await withTrace(trace, () => carryOut(core, run, stop));
  await core.db.write(async (tx) => {
    await endRun({ tx, core }, run.id, state, reason);
    return ok();
  });
  if (failure !== undefined) throw failure;
}

async function carryOut(core: RunCore, run: TakenRun, stop: AbortSignal): Promise<End> {
  const opened = await openController(core, run, stop);
  if ("reason" in opened) return opened;
  const { isoMirror, times } = core.hardware;
  const { controller, onPower, redact } = opened;
  const machine = createMachine(controller, { times, signal: stop, onPower });
  try {
    return { state: "SUCCEEDED", reason: await perform(machine, { ...run, isoMirror }) };
  } catch (error) {
    if (error instanceof RunEnded) throw error;
    const end = endAfter(error, machine, stop);
    return { ...end, reason: redact(end.reason) };
  }
}

/** FAILED means that the machine's state is known. A change without an answer, or that was not seen, leaves it unknown. */
function endAfter(error: unknown, machine: Machine, stop: AbortSignal): End {
  const isExpected = [
    ControllerRefused,
    ControllerUnreachable,
    ControllerSilent,
    StateNotSeen,
  ].some((kind) => error instanceof kind);
  const said = isExpected ? (error as Error).message : "The service failed during the run.";
  const reason = [stop.aborted ? "The service was stopped during the run." : said];
  const boot = machine.pendingBoot();
  if (boot !== undefined) {
    const device = boot === "CD" ? "the virtual CD" : "the network";
    reason.push(`The machine may boot from ${device} at its next start: reset that first.`);
  }
  if (!machine.isStateKnown()) {
    reason.push("Read the power state and look at the machine before you run anything else.");
  }
  return {
    state: machine.isStateKnown() ? "FAILED" : "UNKNOWN",
    reason: reason.join(" "),
    ...(!isExpected && !stop.aborted && { failure: new Error("a run failed", { cause: error }) }),
  };
}

/** The run was ended by its lease while this instance still worked on it. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

interface Opened {
  readonly controller: Controller;
  readonly onPower: (power: Power) => Promise<void>;
  readonly redact: (text: string) => string;
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
  const credential = await openSealed(core, stored.credential, controllerContext(machineId));
  if (credential === undefined) {
    return failed(
      "The controller's password is sealed with a key that the key file does not have. Set the controller again.",
    );
  }
  const target = { ...stored, credential };
  const redact = createRedaction(target);
  let position = 0;
  const record = async (exchange: Exchange): Promise<void> => {
    position += 1;
    const added = await core.db.write(async (tx) => {
      const isLiving = await addEvidence({ tx, core }, id, position, redacted(exchange, redact));
      return isLiving ? ok() : refuse("conflict");
    });
    if (!added.ok) throw new RunEnded(`the run ${id} has ended already`);
  };
  const onPower = async (power: Power): Promise<void> => {
    await core.db.write(async (tx) => {
      await recordPower(tx, machineId, { address, power, at: core.clock.now() });
      return ok();
    });
  };
  const { drivers, times } = core.hardware;
  const controller = drivers[driver](target, { record, callMs: times.callMs, signal });
  return { controller, onPower, redact };
}
