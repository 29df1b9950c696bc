import { newReadableCode } from "#kernel/access/readable-code.ts";
import type { Random } from "#ports/random.ts";

/** A generated password with 100 random bits that is easy to type. */
export function newOperatorPassword(random: Random): string {
  return newReadableCode(random, 4).toLowerCase();
}
