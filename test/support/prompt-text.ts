import { stripVTControlCharacters } from "node:util";

/** The text of a prompt on one line, without control sequences. */
export function promptText(written: string): string {
  return stripVTControlCharacters(written).replaceAll(/\s+/g, " ");
}
