import type { Random } from "#server/ports/random.ts";

/**
 * All the chance of a run: numbers that a seed decides (sfc32). Each use has a stream of its own name,
 * so that one more fault does not change which operations follow.
 */
export class Chance implements Random {
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
    // The first numbers of neighbouring seeds are alike.
    for (let turn = 0; turn < 15; turn += 1) this.#word();
  }

  /** From 0 up to, and without, the limit. */
  below(limit: number): number {
    return Math.floor((this.#word() / 2 ** 32) * limit);
  }

  happens(probability: number): boolean {
    return this.#word() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    const index = this.below(list.length);
    if (list.length === 0) throw new Error("nothing to pick from");
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
