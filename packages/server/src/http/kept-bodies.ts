import { ok } from "#ports/result.ts";
import type { Account } from "./bind.ts";

/** An answer of a hundred entries takes some 60 kB as an object and as text. */
const maxKeptLists = 200;

function answerWith<Body>(body: Body) {
  return ok({ status: 200, body, isKept: true } as const);
}

interface Kept<Body> {
  readonly version: string;
  readonly answer: ReturnType<typeof answerWith<Body>>;
}

/**
 * What accounts list, one answer for each; whoever has not asked for long goes first. An account's version comes
 * from the database with every request, so every instance may keep its own.
 */
export class KeptBodies<Body> {
  readonly #maxKept: number;
  /** Half of what may be kept. When it is full it becomes the other half, and whatever was that is forgotten. */
  #lately = new Map<string, Kept<Body>>();
  #before = new Map<string, Kept<Body>>();

  constructor(maxKept = maxKeptLists) {
    this.#maxKept = maxKept;
  }

  /** The answer of that account, made anew when its version is another one than it was. */
  answer({ accountId, listsVersion }: Account, make: (accountId: string) => Body | Promise<Body>) {
    return this.answerOf(accountId, listsVersion, make);
  }

  /** The same for whatever has an id and a version. */
  async answerOf(id: string, version: string, make: (id: string) => Body | Promise<Body>) {
    const lately = this.#lately.get(id);
    if (lately?.version === version) return lately.answer;
    const before = this.#before.get(id);
    const kept =
      before?.version === version ? before : { version, answer: answerWith(await make(id)) };
    if (this.#lately.size >= this.#maxKept / 2) {
      this.#before = this.#lately;
      this.#lately = new Map();
    }
    this.#lately.set(id, kept);
    return kept.answer;
  }
}
