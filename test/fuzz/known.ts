import type { Dice } from "./dice.ts";

const typeId = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/;
const maxIds = 60;
const maxRecords = 2_000;

/** What an answer has told of something that has an id. */
export type KnownRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** What the answers so far have told: whose ids there are, and what they stand for. */
export class Known {
  readonly #ids = new Map<string, string[]>();
  readonly #records = new Map<string, KnownRecord>();
  readonly addresses: string[] = [];
  etag = '"1"';

  /** Notes every id in an answer, as one that its reader may see. */
  learn(owner: string, value: unknown): void {
    if (typeof value === "string") this.#note(owner, value);
    if (typeof value !== "object" || value === null) return;
    const { id } = value as { readonly id?: unknown };
    if (typeof id === "string" && typeId.test(id)) this.#record(value as KnownRecord);
    for (const item of Object.values(value)) this.learn(owner, item);
  }

  noteAddress(address: string): void {
    this.addresses.push(address);
    if (this.addresses.length > maxIds) this.addresses.shift();
  }

  /** One of the reader's, of that kind; undefined when none is known. */
  pick(dice: Dice, owner: string, prefix: string): string | undefined {
    return dice.pick(this.#ids.get(`${owner} ${prefix}`) ?? []);
  }

  /** One of anybody's. */
  pickAny(dice: Dice, prefix?: string): string | undefined {
    const lists = Array.from(this.#ids).filter(
      ([key]) => prefix === undefined || key.endsWith(` ${prefix}`),
    );
    return dice.pick(dice.pick(lists)?.[1] ?? []);
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

  #note(owner: string, text: string): void {
    const prefix = typeId.exec(text)?.[1];
    if (prefix === undefined) return;
    const key = `${owner} ${prefix}`;
    const list = this.#ids.get(key) ?? [];
    this.#ids.set(key, list);
    if (list.includes(text)) return;
    list.push(text);
    if (list.length > maxIds) list.shift();
  }

  #record(record: KnownRecord): void {
    this.#records.delete(record.id);
    this.#records.set(record.id, record);
    const oldest = this.#records.keys().next().value;
    if (this.#records.size > maxRecords && oldest !== undefined) this.#records.delete(oldest);
  }
}
