import type { Random } from "#ports/random.ts";

/** Crockford's base 32: no letter that a person could mistake for a digit. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groupLength = 5;

/** Random characters, five bits each, in groups that a person can write down: 4GXKD-92MTN. */
export function newReadableCode(random: Random, groups: number): string {
  const letters = Array.from(random.bytes(groups * groupLength), (byte) => alphabet[byte % 32]);
  return Array.from({ length: groups }, (_, group) =>
    letters.slice(group * groupLength, (group + 1) * groupLength).join(""),
  ).join("-");
}

/** 125 random bits: enough for a plain hash to be stored. */
export function newRecoveryCode(random: Random): string {
  return newReadableCode(random, 5);
}

/** As typed by a person: case, hyphens, blanks and look-alike letters make no difference. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
