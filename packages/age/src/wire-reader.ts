/** Reads SSH's binary form (RFC 4251). Throws a RangeError where the bytes end too early. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError("the bytes end too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** A field with its length before it. */
  field(): Uint8Array {
    const { buffer, byteOffset } = this.take(4);
    return this.take(new DataView(buffer, byteOffset).getUint32(0));
  }

  word(): string {
    return new TextDecoder().decode(this.field());
  }
}
