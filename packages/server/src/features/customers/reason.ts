import type { Result } from "#ports/result.ts";
import { refuseField, ok } from "#kernel/result.ts";

/** A reason must contain more than white space. */
export function readReason(text: string): Result<string> {
  const reason = text.trim();
  return reason === "" ? refuseField("reason", "must not be empty") : ok(reason);
}
