import { domainToASCII, domainToUnicode } from "node:url";
import { accepted, rejected, type Checked } from "#kernel/checked.ts";

const maxLength = 253;

const refusals = {
  length: `must be at most ${maxLength} characters long`,
  form:
    "must be a host name such as mail.example.com: two labels or more of 1 to 63 letters, digits " +
    "and inner hyphens",
  address: "must be a host name, not an IP address",
  punycode: "must not have labels that begin with xn-- and are not the punycode of a name",
} as const;

/**
 * Letters, marks and digits of any script, and the few signs that names of some languages need
 * (Catalan, Greek, Hebrew, Japanese). Everything else, "%" and "/" above all, must not reach the
 * conversion to ASCII, which reads its input as the host of a URL.
 */
const nameCharacters = /^[\p{L}\p{M}\p{N}.\-\u00b7\u0375\u05f3\u05f4\u30fb]+$/u;

/** Variation selectors and fillers are marks and letters too, and would vanish without a word. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** Reads the host name that a PTR record points to: lower case, ASCII, no dot at the end. */
export function readHostName(text: string): Checked<string> {
  // Two UTF-16 units a character at most, and the dot at the end.
  if (text.length > 2 * (maxLength + 1)) return rejected(refusals.length);
  const typed = text.endsWith(".") ? text.slice(0, -1) : text;
  if (/^[0-9a-f.]*:[0-9a-f:.]*$/i.test(typed)) return rejected(refusals.address);
  if (!nameCharacters.test(typed) || invisible.test(typed)) return rejected(refusals.form);
  if (endsInNumber(typed)) return rejected(refusals.address);

  const name = domainToASCII(typed);
  if (name.length > maxLength) return rejected(refusals.length);
  if (endsInNumber(name)) return rejected(refusals.address);

  const labels = name.split(".");
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!wellFormed || labels.length < 2) return rejected(refusals.form);

  // What cannot be decoded stays as it was typed, so a label that still begins so is garbage.
  const decoded = domainToUnicode(name).split(".");
  if (decoded.some((label) => label.startsWith("xn--"))) return rejected(refusals.punycode);
  return accepted(name);
}

/** A last label of digits or 0x-hex makes the whole name an IPv4 address to a URL parser. */
function endsInNumber(name: string): boolean {
  return /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/i.test(name);
}
