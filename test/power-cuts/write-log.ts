import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** A record of the log that write-recorder.c and the clients append to. */
export type LogRecord =
  | { readonly kind: "createFile" | "createFolder"; readonly inode: bigint; readonly path: string }
  | { readonly kind: "write"; readonly inode: bigint; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly inode: bigint; readonly size: number }
  | { readonly kind: "sync"; readonly inode: bigint }
  | { readonly kind: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "note"; readonly note: unknown };

/** The index is the number of the kind in write-recorder.c. */
const kinds = [
  undefined,
  "createFile",
  "createFolder",
  "write",
  "truncate",
  "sync",
  "rename",
  "remove",
  "note",
  "link",
] as const;
const headBytes = 23;

export function readLog(path: string): readonly LogRecord[] {
  const log = readFileSync(path);
  const records: LogRecord[] = [];
  for (let from = 0; from < log.length;) {
    const end = from + 4 + log.readUInt32LE(from);
    if (end > log.length) throw new Error("The write log ends in the middle of a record.");
    records.push(readRecord(log.subarray(from, end)));
    from = end;
  }
  return records;
}

function readRecord(bytes: Buffer): LogRecord {
  const kind = kinds[bytes[4] ?? 0];
  const inode = bytes.readBigUInt64LE(5);
  const number = Number(bytes.readBigUInt64LE(13));
  const pathEnd = headBytes + bytes.readUInt16LE(21);
  const path = bytes.toString("utf8", headBytes, pathEnd);
  const rest = bytes.subarray(pathEnd);
  switch (kind) {
    case "createFile":
    case "createFolder":
      return { kind, inode, path };
    case "write":
      return { kind, inode, at: number, bytes: rest };
    case "truncate":
      return { kind, inode, size: number };
    case "sync":
      return { kind, inode };
    case "rename":
    case "link":
      return { kind, path, to: rest.toString() };
    case "remove":
      return { kind, path };
    case "note":
      return { kind, note: JSON.parse(rest.toString()) };
    default:
      throw new Error(`The write log has a record of unknown kind ${bytes[4]}.`);
  }
}

/**
 * Appends to the recorder's log. A client appends an answer after it arrives, and so after the service has
 * synced the change: the order of the records is the order of the events.
 */
export class WriteLog {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, "a");
  }

  append(record: LogRecord): void {
    const { inode, number, path, rest } = partsOf(record);
    const bytes = Buffer.alloc(headBytes + path.length + rest.length);
    bytes.writeUInt32LE(bytes.length - 4, 0);
    bytes[4] = kinds.indexOf(record.kind);
    bytes.writeBigUInt64LE(inode, 5);
    bytes.writeBigUInt64LE(BigInt(number), 13);
    bytes.writeUInt16LE(path.length, 21);
    path.copy(bytes, headBytes);
    rest.copy(bytes, headBytes + path.length);
    if (writeSync(this.#file, bytes) !== bytes.length)
      throw new Error("The log record is truncated.");
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The fields of a record, with empty values for those that its kind does not have. */
function partsOf(record: LogRecord) {
  return {
    inode: "inode" in record ? record.inode : 0n,
    number: numberOf(record),
    path: Buffer.from("path" in record ? record.path : ""),
    rest: restOf(record),
  };
}

function numberOf(record: LogRecord): number {
  if (record.kind === "write") return record.at;
  return record.kind === "truncate" ? record.size : 0;
}

function restOf(record: LogRecord): Buffer {
  if (record.kind === "write") return record.bytes;
  if ("to" in record) return Buffer.from(record.to);
  return Buffer.from(record.kind === "note" ? JSON.stringify(record.note) : "");
}
