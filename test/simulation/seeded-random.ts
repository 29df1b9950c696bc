import type { Random } from "#server/ports/random.ts";

/**
 * A seeded random number generator (sfc32). Each use has its own named stream, so that one more fault does not
 * change the operations that follow.
 */
export class SeededRandom implements Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, stream: string) {
    let hash = 0x811c9dc5 ^ seed;
    for (const character of `${seed} ${stream}`) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    [this.#a, this.#b, this.#c] = [hash, seed, Math.imul(hash, 0x9e3779b1)];
    // Skip the first numbers, which are similar for neighbouring seeds.
    for (let round = 0; round < 15; round += 1) this.#word();
  }

  /** An integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor((this.#word() / 2 ** 32) * limit);
  }

  happens(probability: number): boolean {
    return this.#word() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    const index = this.below(list.length);
    if (list.length === 0) throw new Error("Cannot pick from an empty list.");
    return list[index] as T;
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let at = 0; at < count; at += 4) {
      const word = this.#word();
      for (let byte = at; byte < Math.min(at + 4, count); byte += 1) {
        bytes[byte] = (word >>> ((byte - at) * 8)) & 0xff;
      }
    }
    return bytes;
  }

  #word(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}
