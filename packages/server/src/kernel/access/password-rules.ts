import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { limits } from "@ironlease/contract";
import { ok, refuseField, type Result } from "#ports/result.ts";

/** Only those that are long enough to get this far are worth keeping in memory. */
const wellKnown = new Set(
  readCommonPasswords().filter((password) => password.length >= limits.password.min),
);

/** Read and not imported: a module would keep all fifty thousand of them. */
function readCommonPasswords(): readonly string[] {
  const url = import.meta.resolve("@zxcvbn-ts/language-common/src/passwords.json");
  return JSON.parse(readFileSync(fileURLToPath(url), "utf8")) as string[];
}

/**
 * Whether a password may be chosen; its length has been checked by then. It is compared in lower
 * case here but never changed: what is hashed is exactly what was typed.
 */
export function checkNewPassword(field: string, password: string, username: string): Result<void> {
  const lower = password.toLowerCase();
  if (lower === username) return refuseField(field, "must differ from the username");
  if (wellKnown.has(lower)) {
    return refuseField(field, "is one of the best-known passwords; choose another");
  }
  return ok();
}
