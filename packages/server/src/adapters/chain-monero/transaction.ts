import { keccak_256 } from "@noble/hashes/sha3.js";
import { hex } from "@scure/base";

/** A transaction as the network encodes it, without the proofs that the daemon checks. */
export interface MoneroTransaction {
  readonly unlockTime: bigint;
  readonly keyImages: readonly string[];
  readonly outputs: readonly TransactionOutput[];
  /** R of all outputs, and one R per output where a subaddress is paid among others. */
  readonly publicKey: Uint8Array;
  readonly additionalKeys: readonly Uint8Array[];
  readonly encryptedPaymentId: Uint8Array | undefined;
  readonly feeUnits: bigint;
  /** Undefined where the daemon left out the proofs. */
  readonly id: string | undefined;
}

export interface TransactionOutput {
  readonly key: Uint8Array;
  /** Lets wallets skip most foreign outputs. Undefined before 2022. */
  readonly viewTag: number | undefined;
  readonly encryptedAmount: Uint8Array;
  readonly commitment: Uint8Array;
}

const [inputFromKey, outputToKey, outputToTaggedKey] = [2, 2, 3];
/** The signature types with amounts of 8 bytes: Bulletproof2, CLSAG, BulletproofPlus. */
const [firstType, lastType] = [4, 6];
const [publicKeyTag, nonceTag, additionalKeysTag] = [1, 2, 4];
const encryptedPaymentIdTag = 1;
const keyBytes = 32;
/** The network accepts 16 outputs. Inputs and their rings are bounded by the size of a transaction. */
const [mostOutputs, mostInputs, mostMembers] = [16, 10_000, 100];

/** Undefined when the bytes are no transaction of the kind that wallets create today. */
export function readTransaction(text: string): MoneroTransaction | undefined {
  try {
    return parse(hex.decode(text));
  } catch {
    return undefined;
  }
}

function parse(bytes: Uint8Array): MoneroTransaction {
  const reader = new ByteReader(bytes);
  if (reader.number() !== 2) throw new RangeError("version");
  const unlockTime = reader.varint();
  const keyImages = reader.list(mostInputs, () => readInput(reader));
  const targets = reader.list(mostOutputs, () => readTarget(reader));
  const extra = readExtra(reader.take(reader.number()));
  const prefixEnd = reader.position;

  const type = reader.byte();
  if (type < firstType || type > lastType) throw new RangeError("type");
  const feeUnits = reader.varint();
  const amounts = targets.map(() => reader.take(8));
  const commitments = targets.map(() => reader.take(keyBytes));
  const baseEnd = reader.position;
  const outputs = targets.map((target, index) => ({
    ...target,
    encryptedAmount: amounts[index] ?? new Uint8Array(8),
    commitment: commitments[index] ?? new Uint8Array(keyBytes),
  }));
  const parts = [
    bytes.subarray(0, prefixEnd),
    bytes.subarray(prefixEnd, baseEnd),
    bytes.subarray(baseEnd),
  ];
  const id =
    baseEnd === bytes.length
      ? undefined
      : hex.encode(keccak_256(Buffer.concat(parts.map((part) => keccak_256(part)))));
  return { unlockTime, keyImages, outputs, ...extra, feeUnits, id };
}

function readInput(reader: ByteReader): string {
  if (reader.byte() !== inputFromKey || reader.varint() !== 0n) throw new RangeError("input");
  reader.list(mostMembers, () => reader.varint());
  return hex.encode(reader.take(keyBytes));
}

function readTarget(reader: ByteReader) {
  if (reader.varint() !== 0n) throw new RangeError("amount in clear");
  const type = reader.byte();
  if (type !== outputToKey && type !== outputToTaggedKey) throw new RangeError("output");
  const key = reader.take(keyBytes);
  return { key, viewTag: type === outputToTaggedKey ? reader.byte() : undefined };
}

/** Receivers stop at what they cannot read, so anything but the usual fields is refused. */
function readExtra(bytes: Uint8Array) {
  const reader = new ByteReader(bytes);
  let publicKey: Uint8Array | undefined;
  let additionalKeys: readonly Uint8Array[] | undefined;
  let encryptedPaymentId: Uint8Array | undefined;
  while (!reader.isAtEnd) {
    const tag = reader.byte();
    if (tag === publicKeyTag && publicKey === undefined) publicKey = reader.take(keyBytes);
    else if (tag === additionalKeysTag && additionalKeys === undefined) {
      additionalKeys = reader.list(mostOutputs, () => reader.take(keyBytes));
    } else if (tag === nonceTag && encryptedPaymentId === undefined) {
      const nonce = reader.take(reader.number());
      if (nonce.length !== 9 || nonce[0] !== encryptedPaymentIdTag) throw new RangeError("nonce");
      encryptedPaymentId = nonce.subarray(1);
    } else throw new RangeError("extra");
  }
  if (publicKey === undefined) throw new RangeError("no public key");
  return { publicKey, additionalKeys: additionalKeys ?? [], encryptedPaymentId };
}

/** Throws RangeError at the end of the bytes. */
class ByteReader {
  readonly #bytes: Uint8Array;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.position === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.position + length;
    if (end > this.#bytes.length) throw new RangeError("too short");
    const taken = this.#bytes.subarray(this.position, end);
    this.position = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** Seven bits a byte, the lowest first. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("varint");
  }

  number(): number {
    const value = this.varint();
    if (value > BigInt(this.#bytes.length)) throw new RangeError("count");
    return Number(value);
  }

  list<Item>(most: number, read: () => Item): readonly Item[] {
    const count = this.number();
    if (count > most) throw new RangeError("too many");
    return Array.from({ length: count }, read);
  }
}
