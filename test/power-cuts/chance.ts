import { randomFrom } from "#test/random-from.ts";

/** Choices that a seed repeats. */
export class Chance {
  /** From 0 up to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Whether something happens that happens so often. */
  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(choices: readonly [T, ...T[]]): T;
  pick<T>(choices: readonly T[]): T | undefined;
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** So many bytes of rubbish; a multiple of four. */
  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32LE(this.below(2 ** 32), at);
    return bytes;
  }
}
