import type { Random } from "../../ports/random.ts";

/** Crockford's base 32: no letter that a person could mistake for a digit. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 25;

/** 125 random bits in groups that a person can write down. */
export function newRecoveryCode(random: Random): string {
  const characters = Array.from(random.bytes(length), (byte) => alphabet[byte % 32]).join("");
  return characters.match(/.{5}/g)?.join("-") ?? characters;
}

/** As typed by a person: case, hyphens, blanks and look-alike letters make no difference. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
