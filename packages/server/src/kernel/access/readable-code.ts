import type { Random } from "#ports/random.ts";

/** Crockford's base 32, which has no letters that look like digits. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groupLength = 5;

/** Random characters of five bits each, in groups that are easy to write down: 4GXKD-92MTN. */
export function newReadableCode(random: Random, groups: number): string {
  const letters = Array.from(random.bytes(groups * groupLength), (byte) => alphabet[byte % 32]);
  return Array.from({ length: groups }, (_, group) =>
    letters.slice(group * groupLength, (group + 1) * groupLength).join(""),
  ).join("-");
}

/** 125 random bits, enough that a plain hash may be stored. */
export function newRecoveryCode(random: Random): string {
  return newReadableCode(random, 5);
}

/** Ignores case, hyphens, spaces and look-alike letters in a typed code. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
