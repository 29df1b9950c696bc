import { domainToASCII, domainToUnicode } from "node:url";
import { accepted, rejected, type Checked } from "#kernel/checked.ts";

const maxLength = 253;

const refusals = {
  length: `must be at most ${maxLength} characters`,
  form:
    "must be a host name such as mail.example.com: at least two labels of 1 to 63 letters, digits " +
    "and inner hyphens",
  address: "must be a host name, not an IP address",
  punycode: "must not contain xn-- labels that are not valid punycode",
} as const;

/**
 * Letters, marks and digits of any script, and the few symbols that some languages need in names (Catalan, Greek,
 * Hebrew, Japanese). Other characters, especially "%" and "/", must not reach the conversion to ASCII, which parses
 * its input as a URL host.
 */
const nameCharacters = /^[\p{L}\p{M}\p{N}.\-\u00b7\u0375\u05f3\u05f4\u30fb]+$/u;

/** Variation selectors and fillers count as marks and letters, but the conversion would drop them silently. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** Reads the host name of a PTR record: lower case, ASCII, no trailing dot. */
export function readHostName(text: string): Checked<string> {
  // At most two UTF-16 units per character, plus the trailing dot.
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

  // A label that cannot be decoded stays as typed, so one that still starts this way is invalid.
  const decoded = domainToUnicode(name).split(".");
  if (decoded.some((label) => label.startsWith("xn--"))) return rejected(refusals.punycode);
  return accepted(name);
}

/** A URL parser reads a name as an IPv4 address when its last label is all digits or 0x-hex. */
function endsInNumber(name: string): boolean {
  return /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/i.test(name);
}
