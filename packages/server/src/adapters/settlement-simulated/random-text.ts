import type { Random } from "#ports/random.ts";

/** 160 random bits in lower-case letters and digits. */
export function randomText(random: Random): string {
  const bits = BigInt(`0x${random.bytes(20).toString("hex")}`);
  return bits.toString(36).padStart(31, "0");
}
