import type { Dice } from "../dice.ts";
import { asBytes, type Draft } from "../draft.ts";
import type { World } from "../world.ts";

/** One thing that is done to a request. Where there is nothing to do it to, nothing is done. */
export interface Mutation {
  readonly name: string;
  readonly apply: (draft: Draft, dice: Dice, world: World) => void;
}

/** Something that no part of a request should ever be. */
export const hostileTexts = [
  "",
  " ",
  "\0",
  "null",
  "true",
  "-1",
  "1e309",
  "NaN",
  "[object Object]",
  "__proto__",
  "constructor",
  "../..",
  "%00",
  "%2e%2e%2f",
  "'\"`;--",
  "${jndi:ldap://x}",
  "\ud800",
  "\uffff\ufffe",
  "\u{10ffff}",
  "😀".repeat(40),
  "a".repeat(300),
  "a".repeat(5_000),
] as const;

/** A place in a text or in bytes, both ends included. */
export const placeIn = (dice: Dice, { length }: { readonly length: number }) => dice.int(0, length);

export function inserted(text: string, at: number, what: string, instead = 0): string {
  return text.slice(0, at) + what + text.slice(at + instead);
}

/** As bytes that do not end a header. */
export const onLine = (text: string) => asBytes(text).replaceAll(/[\r\n\0]/g, "");
