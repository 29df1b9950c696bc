import { idPrefixes, type IdKind } from "@ironlease/contract";
import { fromUUIDBytes } from "typeid-js";
import type { Clock } from "#ports/clock.ts";
import type { Random } from "#ports/random.ts";

/** Creates resource ids: unguessable, and sorted by creation time. */
export interface Ids {
  next(kind: IdKind): string;
  /** Sorts before every id of that kind created at or after that time. */
  floor(kind: IdKind, timeMs: number): string;
}

const maxCounter = 0xfff;

export function createIds(clock: Clock, random: Random): Ids {
  let lastMs = 0;
  let counter = 0;

  /** A UUIDv7 whose twelve `rand_a` bits count within a millisecond (RFC 9562, method 1). */
  const uuid = (): Uint8Array => {
    const nowMs = clock.now();
    if (nowMs > lastMs) [lastMs, counter] = [nowMs, 0];
    else if (counter < maxCounter) counter += 1;
    // The counter is full or the clock went back. Borrows from the next millisecond to stay sorted.
    else [lastMs, counter] = [lastMs + 1, 0];
    const bytes = random.bytes(16);
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    return bytes;
  };

  return {
    next: (kind) => fromUUIDBytes(idPrefixes[kind], uuid()),
    floor: (kind, timeMs) => {
      const bytes = Buffer.alloc(16);
      bytes.writeUIntBE(Math.max(0, timeMs), 0, 6);
      return fromUUIDBytes(idPrefixes[kind], bytes);
    },
  };
}
