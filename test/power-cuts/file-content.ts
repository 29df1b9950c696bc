/** The unit that a disk writes atomically. */
export const sectorBytes = 512;

export type FileChange =
  | { readonly kind: "write"; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly size: number };

/** The bytes of a growing file. */
export class FileContent {
  #bytes: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  apply(change: FileChange): void {
    if (change.kind === "truncate") return this.resize(change.size);
    const end = change.at + change.bytes.length;
    if (end > this.#size) this.resize(end);
    change.bytes.copy(this.#bytes, change.at);
  }

  /** Fills new bytes with zeros. */
  resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, this.#bytes.length * 2));
      this.bytes.copy(grown);
      this.#bytes = grown;
    }
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    this.#size = size;
  }
}

/** The changed sectors as a half-open range, which may extend beyond the end of the file. */
export function sectorsOf(change: FileChange, sizeBefore: number): readonly [number, number] {
  const [from, to] =
    change.kind === "write"
      ? [change.at, change.at + change.bytes.length]
      : [Math.min(change.size, sizeBefore), Math.max(change.size, sizeBefore)];
  return [Math.floor(from / sectorBytes), Math.ceil(to / sectorBytes)];
}
