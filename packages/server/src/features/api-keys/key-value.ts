import { crc32 } from "node:zlib";
import type { Random } from "#ports/random.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 30;
const checksumLength = 6;
const shape = /^svk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** The first characters of a key are stored in plain text, so that its owner can recognize it. */
export const prefixLength = 8;

/** `svk_`, 30 random base-62 characters and their CRC32, which catches typing errors before any lookup. */
export function newKeyValue(random: Random): string {
  let characters = "";
  while (characters.length < randomLength) {
    // 248 is the largest multiple of 62 below 256. Larger bytes are dropped, because they would favour the first
    // digits.
    const fair = [...random.bytes(randomLength)].filter((byte) => byte < 248);
    characters += fair.map((byte) => digits[byte % 62]).join("");
  }
  const secret = characters.slice(0, randomLength);
  return `svk_${secret}${checksum(secret)}`;
}

/** Whether the text has the form and checksum of a key. Other text never reaches the database. */
export function isKeyValue(text: string): boolean {
  const match = shape.exec(text);
  return match !== null && checksum(match[1] ?? "") === match[2];
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let encoded = "";
  for (let place = 0; place < checksumLength; place += 1) {
    encoded = (digits[rest % 62] ?? "") + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}
