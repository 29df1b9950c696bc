import { ok } from "../ports/result.ts";
import type { Account } from "./bind.ts";

/** An answer of a hundred entries takes some 60 kB as an object and as text. */
const maxKeptLists = 200;

interface Kept<Body> {
  readonly version: number;
  readonly body: Body;
}

/**
 * What accounts list, one answer for each, the least recently used going first. An account's version comes
 * from the database with every request, so every instance may keep its own.
 */
export class KeptBodies<Body> {
  readonly #kept = new Map<string, Kept<Body>>();
  readonly #maxKept: number;

  constructor(maxKept = maxKeptLists) {
    this.#maxKept = maxKept;
  }

  /** The answer of that account, made anew when its version is another one than it was. */
  answer({ accountId, listsVersion }: Account, make: (accountId: string) => Body | Promise<Body>) {
    return this.answerOf(accountId, listsVersion, make);
  }

  /** The same for whatever has an id and a version. */
  async answerOf(id: string, version: number, make: (id: string) => Body | Promise<Body>) {
    const kept = this.#kept.get(id);
    const body = kept?.version === version ? kept.body : await make(id);
    this.#kept.delete(id);
    this.#kept.set(id, { version, body });
    if (this.#kept.size > this.#maxKept) {
      this.#kept.delete(this.#kept.keys().next().value ?? "");
    }
    return ok({ status: 200, body, isKept: true } as const);
  }
}
