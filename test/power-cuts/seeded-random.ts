import { randomFrom } from "#test/random-from.ts";

/** A seeded random number generator. */
export class SeededRandom {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** An integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T;
  pick<T>(choices: readonly T[]): T | undefined;
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** Random bytes. The count must be a multiple of four. */
  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(this.below(2 ** 32), at);
    return bytes;
  }
}
