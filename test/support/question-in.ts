import { stripVTControlCharacters } from "node:util";

/** What a person reads of a prompt: without control sequences, and in one line. */
export function questionIn(written: string): string {
  return stripVTControlCharacters(written).replaceAll(/\s+/g, " ");
}
