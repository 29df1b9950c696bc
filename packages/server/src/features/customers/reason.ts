import { refuseField, ok, type Result } from "#ports/result.ts";

/** A reason must contain more than white space. */
export function readReason(text: string): Result<string> {
  const reason = text.trim();
  return reason === "" ? refuseField("reason", "must say why") : ok(reason);
}
