import { limits } from "@ironlease/contract";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

/** The schema counts characters. The limit is in bytes, because that is what is stored and sent. */
export function readMessageText(text: string): Result<string> {
  if (text.trim() === "") return refuseField("text", "must not be empty");
  const bytes = Buffer.byteLength(text);
  if (bytes <= limits.messageBytes) return ok(text);
  return refuseField("text", `must be at most ${limits.messageBytes} bytes, and has ${bytes}`);
}

export function readSubject(text: string): Result<string> {
  const subject = text.trim();
  return subject === "" ? refuseField("subject", "must not be empty") : ok(subject);
}
