import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { limits } from "@ironlease/contract";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

let wellKnown: ReadonlySet<string> | undefined;

/**
 * Read from the file on first use, because importing it would keep all 50,000 passwords in memory. Shorter passwords
 * are refused for their length, so they need not be in memory.
 */
function readCommonPasswords(): ReadonlySet<string> {
  const url = import.meta.resolve("@zxcvbn-ts/language-common/src/passwords.json");
  const passwords = JSON.parse(readFileSync(fileURLToPath(url), "utf8")) as string[];
  return new Set(passwords.filter((password) => password.length >= limits.password.min));
}

/**
 * Checks a new password of valid length. The comparison ignores case, but the hash covers the password exactly as
 * typed.
 */
export function checkNewPassword(field: string, password: string, username: string): Result<void> {
  const lower = password.toLowerCase();
  if (lower === username) return refuseField(field, "must differ from the username");
  wellKnown ??= readCommonPasswords();
  if (wellKnown.has(lower)) {
    return refuseField(field, "is a commonly used password; choose another");
  }
  return ok();
}
