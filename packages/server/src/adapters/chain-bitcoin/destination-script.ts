import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import type { CoinChain } from "./coins.ts";

const base58check = createBase58check(sha256);
const [opDup, opHash160, opEqualVerify, opCheckSig, opEqual, opReserved] = [
  0x76, 0xa9, 0x88, 0xac, 0x87, 0x50,
];
const hashLength = 20;

/** The output script that pays an address. Throws when it is not an address of this chain. */
export function destinationScript(
  address: string,
  { prefix, versions }: Pick<CoinChain, "prefix" | "versions">,
): Uint8Array {
  const script = address.toLowerCase().startsWith(`${prefix}1`)
    ? segwitScript(address.toLowerCase())
    : legacyScript(address, versions);
  if (script === undefined) throw new Error(`${address} is not an address of this chain`);
  return script;
}

function segwitScript(address: string): Uint8Array | undefined {
  for (const encoding of [bech32, bech32m]) {
    const decoded = encoding.decodeUnsafe(address);
    const [version, ...words] = decoded?.words ?? [];
    if (version === undefined || (version === 0) !== (encoding === bech32)) continue;
    const program = encoding.fromWords(words);
    const first = version === 0 ? 0 : opReserved + version;
    return Uint8Array.from([first, program.length, ...program]);
  }
  return undefined;
}

function legacyScript(address: string, versions: CoinChain["versions"]): Uint8Array | undefined {
  const [version, ...hash] = base58check.decode(address);
  if (version === undefined || hash.length !== hashLength) return undefined;
  if (version === versions.keyHash) {
    return Uint8Array.from([opDup, opHash160, hashLength, ...hash, opEqualVerify, opCheckSig]);
  }
  if (!versions.scriptHash.includes(version)) return undefined;
  return Uint8Array.from([opHash160, hashLength, ...hash, opEqual]);
}
