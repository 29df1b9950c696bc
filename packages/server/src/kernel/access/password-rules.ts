import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { limits } from "@ironlease/contract";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

/** Shorter ones are refused for their length, so they are not kept in memory. */
const wellKnown = new Set(
  readCommonPasswords().filter((password) => password.length >= limits.password.min),
);

/** Read rather than imported, because a module would keep all fifty thousand in memory. */
function readCommonPasswords(): readonly string[] {
  const url = import.meta.resolve("@zxcvbn-ts/language-common/src/passwords.json");
  return JSON.parse(readFileSync(fileURLToPath(url), "utf8")) as string[];
}

/**
 * Whether a password of valid length may be chosen. The comparison ignores case, but the hash covers exactly what was
 * typed.
 */
export function checkNewPassword(field: string, password: string, username: string): Result<void> {
  const lower = password.toLowerCase();
  if (lower === username) return refuseField(field, "must differ from the username");
  if (wellKnown.has(lower)) {
    return refuseField(field, "is a commonly used password; choose another");
  }
  return ok();
}
