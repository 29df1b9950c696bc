import type { Failure, Item } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

/** Checks the fields against the kind. A field that the kind does not accept is an error, never ignored. */
export function readFailure({ kind }: Item, failure: Failure): Result<Failure> {
  if (failure.machineState === undefined || kind === "PROVISION") return ok(failure);
  const message = `must be omitted: it applies to PROVISION, and this item is ${kind}`;
  return refuseField("machineState", message);
}
