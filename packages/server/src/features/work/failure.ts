import type { FailedMachineState } from "#kernel/inventory.ts";
import { ok, refuseField, type Result } from "#ports/result.ts";
import type { Item } from "./work-item.ts";

/** What an operator says who gives an item up. */
export interface Failure {
  readonly reason: string;
  /** With PROVISION only; DIRTY when left out. */
  readonly machineState?: FailedMachineState | undefined;
}

/** Checks the fields against the kind: what it does not take is an error and never ignored. */
export function readFailure({ kind }: Item, failure: Failure): Result<Failure> {
  if (failure.machineState === undefined || kind === "PROVISION") return ok(failure);
  const message = `must be left out: only PROVISION takes it, and this is ${kind}`;
  return refuseField("machineState", message);
}
