import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ok, refuseField, type Result } from "../ports/result.ts";

/** Names that an attacker tries first because they are ours. */
const ownNames = ["ironlease", "ironleased"];

/**
 * By length, those of one length in one text with a line each: a set of them would take ten times the
 * memory, and one text of all ten times the time.
 */
const wellKnown = new Map(
  Array.from(
    Map.groupBy([...readCommonPasswords(), ...ownNames], ({ length }) => length),
    ([length, words]) => [length, `\n${words.join("\n")}\n`],
  ),
);

/** What people add to a well-known one to make it long enough: a number, a year, a sign or two. */
const usualEnding = /(?:\d{1,4}|12345|123456)?[!?.*]{0,2}$/;

/** With a shorter one most of the password would be the ending. */
const minStem = 6;

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
  const stem = lower.replace(usualEnding, "");
  if (isWellKnown(lower) || (stem.length >= minStem && isWellKnown(stem))) {
    return refuseField(field, "is one of the best-known passwords; choose another");
  }
  return ok();
}

function isWellKnown(password: string): boolean {
  if (password.includes("\n")) return false;
  return wellKnown.get(password.length)?.includes(`\n${password}\n`) ?? false;
}
