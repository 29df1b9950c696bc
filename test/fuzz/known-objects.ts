import type { SeededRandom } from "./seeded-random.ts";

const typeId = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/;
const maxIds = 60;
const maxRecords = 2_000;

/** An object with an id from an answer. */
export type KnownRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** Ids and objects from the answers so far, which later requests refer to. */
export class KnownObjects {
  readonly #ids = new Map<string, string[]>();
  readonly #records = new Map<string, KnownRecord>();
  readonly addresses: string[] = [];
  etag = '"1"';

  /** Collects every id in an answer as visible to its owner. */
  collect(owner: string, value: unknown): void {
    if (typeof value === "string") this.#addId(owner, value);
    if (typeof value !== "object" || value === null) return;
    const { id } = value as { readonly id?: unknown };
    if (typeof id === "string" && typeId.test(id)) this.#addRecord(value as KnownRecord);
    for (const item of Object.values(value)) this.collect(owner, item);
  }

  addAddress(address: string): void {
    this.addresses.push(address);
    if (this.addresses.length > maxIds) this.addresses.shift();
  }

  /** Picks an id of the owner's with the prefix. */
  pick(random: SeededRandom, owner: string, prefix: string): string | undefined {
    return random.pick(this.#ids.get(`${owner} ${prefix}`) ?? []);
  }

  /** Picks an id of any owner. */
  pickAny(random: SeededRandom, prefix?: string): string | undefined {
    const lists = Array.from(this.#ids).filter(
      ([key]) => prefix === undefined || key.endsWith(` ${prefix}`),
    );
    return random.pick(random.pick(lists)?.[1] ?? []);
  }

  recordsWhere(matches: (record: KnownRecord) => boolean): readonly KnownRecord[] {
    return [...this.#records.values()].filter(matches);
  }

  record(id: string): KnownRecord | undefined {
    return this.#records.get(id);
  }

  forget(owner: string, id: string): void {
    const list = this.#ids.get(`${owner} ${id.slice(0, 3)}`);
    const at = list?.indexOf(id) ?? -1;
    if (at !== -1) list?.splice(at, 1);
  }

  #addId(owner: string, text: string): void {
    const prefix = typeId.exec(text)?.[1];
    if (prefix === undefined) return;
    const key = `${owner} ${prefix}`;
    const list = this.#ids.get(key) ?? [];
    this.#ids.set(key, list);
    if (list.includes(text)) return;
    list.push(text);
    if (list.length > maxIds) list.shift();
  }

  #addRecord(record: KnownRecord): void {
    this.#records.delete(record.id);
    this.#records.set(record.id, record);
    const oldest = this.#records.keys().next().value;
    if (this.#records.size > maxRecords && oldest !== undefined) this.#records.delete(oldest);
  }
}
