import { createHash, randomBytes, scryptSync } from "node:crypto";

const version = 0x2000_0000;
/** Regtest's target, compact and in full: every second hash is below it. */
const compactTarget = 0x207f_ffff;
const target = 0x7fff_ffn << 232n;

/** Valid headers on top of a block, for blocks that no node has. */
export function mineHeaders(parent: string, medianTime: number, count: number): readonly string[] {
  const headers: string[] = [];
  let previous = reversed(Buffer.from(parent, "hex"));
  for (let index = 1; index <= count; index += 1) {
    const header = mineHeader(previous, medianTime + 60 + index);
    headers.push(header.toString("hex"));
    previous = sha256(sha256(header));
  }
  return headers;
}

function mineHeader(previous: Buffer, time: number): Buffer {
  const header = Buffer.alloc(80);
  header.writeUInt32LE(version, 0);
  previous.copy(header, 4);
  randomBytes(32).copy(header, 36);
  header.writeUInt32LE(time, 68);
  header.writeUInt32LE(compactTarget, 72);
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    if (isBelowTarget(header)) return header;
  }
}

/** Litecoin's proof of work is scrypt of the header, with the header as its salt. */
function isBelowTarget(header: Buffer): boolean {
  const work = scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 });
  return BigInt(`0x${reversed(work).toString("hex")}`) <= target;
}

/** Hashes are little-endian in a header, and big-endian where people read them. */
function reversed(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toReversed());
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
