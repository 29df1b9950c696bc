import { refuseField, ok, type Result } from "#ports/result.ts";

/** Why somebody does something to a customer: words, and not only the space around them. */
export function readReason(text: string): Result<string> {
  const reason = text.trim();
  return reason === "" ? refuseField("reason", "must say why") : ok(reason);
}
