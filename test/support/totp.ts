import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The code that an authenticator app shows at the given time (RFC 6238). Implemented independently, so that
 * tests compare the service with the standard and not with its own library.
 */
export function totpCode(secret: string, timeMs: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(timeMs / 30_000)));
  const digest = createHmac("sha1", fromBase32(secret)).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const truncated = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(truncated % 1_000_000).padStart(6, "0");
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  return Buffer.from(
    bits
      .join("")
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
}
