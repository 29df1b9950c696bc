import { ok } from "../ports/result.ts";
import type { Account } from "./bind.ts";

/** An answer of a hundred entries takes some 60 kB as an object and as text. */
const maxKept = 200;

interface Kept<Body> {
  readonly version: number;
  readonly body: Body;
}

/**
 * What accounts list, one answer for each, the least recently used going first. An account's version comes
 * from the database with every request, so every instance may keep its own.
 */
export class KeptBodies<Body> {
  readonly #byAccount = new Map<string, Kept<Body>>();

  /** The answer of that account, made anew when its version is another one than it was. */
  async answer({ accountId, listsVersion }: Account, make: (accountId: string) => Promise<Body>) {
    const kept = this.#byAccount.get(accountId);
    const body = kept?.version === listsVersion ? kept.body : await make(accountId);
    this.#byAccount.delete(accountId);
    this.#byAccount.set(accountId, { version: listsVersion, body });
    if (this.#byAccount.size > maxKept) {
      this.#byAccount.delete(this.#byAccount.keys().next().value ?? "");
    }
    return ok({ status: 200, body, isKept: true } as const);
  }
}
