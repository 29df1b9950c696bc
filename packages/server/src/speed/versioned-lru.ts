interface Entry<Value> {
  readonly version: string;
  readonly value: Value;
}

/**
 * Caches one value per key, valid for one version of it. Two-generation LRU: when the young map is full, it
 * replaces the old one.
 */
export class VersionedLru<Value> {
  readonly #capacity: number;
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, version: string): Value | undefined {
    const young = this.#young.get(key);
    if (young?.version === version) return young.value;
    const old = this.#old.get(key);
    if (old?.version !== version) return undefined;
    this.#insert(key, old);
    return old.value;
  }

  set(key: string, version: string, value: Value): void {
    this.#insert(key, { version, value });
  }

  #insert(key: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#capacity / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}
