import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58xmr } from "@scure/base";
import type { Address } from "./address.ts";
import { isEd25519Point } from "./ed25519-point.ts";

/** Length of a network byte, public spend key, public view key and checksum. */
const plain = { bytes: 69, characters: 95 } as const;

/** The same, with an eight-byte payment id before the checksum. */
const integrated = { bytes: 77, characters: 106 } as const;

/** Standard, integrated and subaddress of mainnet, testnet and stagenet, by first byte. */
const kinds: ReadonlyMap<number, { network: "main" | "test"; bytes: number }> = new Map([
  [18, { network: "main", bytes: plain.bytes }],
  [19, { network: "main", bytes: integrated.bytes }],
  [42, { network: "main", bytes: plain.bytes }],
  [53, { network: "test", bytes: plain.bytes }],
  [54, { network: "test", bytes: integrated.bytes }],
  [63, { network: "test", bytes: plain.bytes }],
  [24, { network: "test", bytes: plain.bytes }],
  [25, { network: "test", bytes: integrated.bytes }],
  [36, { network: "test", bytes: plain.bytes }],
]);

const checksumBytes = 4;

export function readMoneroAddress(text: string): Address | undefined {
  if (text.length !== plain.characters && text.length !== integrated.characters) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = base58xmr.decode(text);
  } catch {
    return undefined;
  }

  const kind = kinds.get(bytes[0] ?? -1);
  if (kind === undefined || bytes.length !== kind.bytes) return undefined;

  const checksum = keccak_256(bytes.subarray(0, -checksumBytes)).subarray(0, checksumBytes);
  if (!Buffer.from(checksum).equals(bytes.subarray(-checksumBytes))) return undefined;

  const keys = [bytes.subarray(1, 33), bytes.subarray(33, 65)];
  return keys.every(isEd25519Point) ? { network: kind.network, normalized: text } : undefined;
}
