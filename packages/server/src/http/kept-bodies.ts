/** An answer of a hundred entries takes some 60 kB as an object and as text. */
const maxKept = 200;

interface Kept<Body> {
  readonly version: number;
  readonly body: Body;
}

/**
 * Bodies that say the same for as long as their version does, the least recently used going first. The
 * version comes from the database with every request, so every instance may keep its own.
 */
export class KeptBodies<Body> {
  readonly #byId = new Map<string, Kept<Body>>();

  async find(id: string, version: number, make: () => Promise<Body>): Promise<Body> {
    const kept = this.#byId.get(id);
    const body = kept?.version === version ? kept.body : await make();
    this.#byId.delete(id);
    this.#byId.set(id, { version, body });
    if (this.#byId.size > maxKept) this.#byId.delete(this.#byId.keys().next().value ?? "");
    return body;
  }
}
