import { randomFrom } from "#test/random-from.ts";

/** Everything that is left to chance in one request, brought back by the seed and its number. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number, number: number) {
    this.#random = randomFrom(Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(number, 48_271));
    // Seeds that are neighbours begin alike.
    for (let skipped = 0; skipped < 3; skipped += 1) this.#random();
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  pick<T>(from: readonly [T, ...T[]]): T;
  pick<T>(from: readonly T[]): T | undefined;
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.int(0, from.length - 1)];
  }

  /** Of several things with a weight each. */
  weighted<T>(from: readonly (readonly [thing: T, weight: number])[]): T | undefined {
    let rest = this.#random() * from.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [thing, weight] of from) {
      rest -= weight;
      if (rest < 0) return thing;
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
