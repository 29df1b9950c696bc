import { randomFrom } from "#test/random-from.ts";

/** The random choices of one request, derived from the seed and the request's number. */
export class SeededRandom {
  readonly #random: () => number;

  constructor(seed: number, number: number) {
    this.#random = randomFrom(Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(number, 48_271));
    // Skip the first numbers, which are similar for neighbouring seeds.
    for (let skipped = 0; skipped < 3; skipped += 1) this.#random();
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  pick<T>(from: readonly [T, ...T[]]): T;
  pick<T>(from: readonly T[]): T | undefined;
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.int(0, from.length - 1)];
  }

  /** Picks an item with a probability in proportion to its weight. */
  weighted<T>(from: readonly (readonly [item: T, weight: number])[]): T | undefined {
    let rest = this.#random() * from.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of from) {
      rest -= weight;
      if (rest < 0) return item;
    }
    return from.at(-1)?.[0];
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(0, 255)));
  }

  word(length: number): string {
    return Array.from({ length }, () => this.int(0, 35).toString(36)).join("");
  }
}
