import type { SeededRandom } from "../seeded-random.ts";
import { asBytes, type Draft } from "../draft.ts";
import type { World } from "../world.ts";

/** One change to a request. Does nothing when the request has no part to change. */
export interface Mutation {
  readonly name: string;
  readonly apply: (draft: Draft, random: SeededRandom, world: World) => void;
}

/** Texts that are invalid in most parts of a request. Refusals may quote them, so none is like an internal detail. */
export const hostileTexts = [
  "",
  " ",
  "\0",
  "null",
  "true",
  "-1",
  "1e309",
  "NaN",
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

/** A random position in a text or in bytes, including both ends. */
export const positionIn = (random: SeededRandom, { length }: { readonly length: number }) =>
  random.int(0, length);

/** Inserts text at a position, replacing the given number of characters. */
export function inserted(text: string, at: number, insertion: string, replaced = 0): string {
  return text.slice(0, at) + insertion + text.slice(at + replaced);
}

/** Encodes text as bytes without line breaks, which would end a header. */
export const headerText = (text: string) => asBytes(text).replaceAll(/[\r\n\0]/g, "");
