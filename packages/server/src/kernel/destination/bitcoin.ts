import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import type { Address } from "./address.ts";

/** What distinguishes the coins of the Bitcoin family: version bytes and bech32 prefixes. */
export interface BitcoinLikeCoin {
  readonly versions: ReadonlyMap<number, "main" | "test">;
  readonly prefixes: ReadonlyMap<string, "main" | "test">;
}

export const bitcoin: BitcoinLikeCoin = {
  versions: new Map([
    [0x00, "main"],
    [0x05, "main"],
    [0x6f, "test"],
    [0xc4, "test"],
  ]),
  prefixes: new Map([
    ["bc", "main"],
    ["tb", "test"],
    ["bcrt", "test"],
  ]),
};

/** 0x05 and 0xc4 are Bitcoin's script versions, which old Litecoin wallets still use. */
export const litecoin: BitcoinLikeCoin = {
  versions: new Map([
    [0x30, "main"],
    [0x32, "main"],
    [0x05, "main"],
    [0x6f, "test"],
    [0x3a, "test"],
    [0xc4, "test"],
  ]),
  prefixes: new Map([
    ["ltc", "main"],
    ["tltc", "test"],
    ["rltc", "test"],
  ]),
};

const base58check = createBase58check(sha256);

/** The base58 length of 25 bytes: version, hash and checksum. */
const base58Length = 35;

/** BIP 173's limit on the whole address. */
const bech32Length = 90;

export function readBitcoinLikeAddress(text: string, coin: BitcoinLikeCoin): Address | undefined {
  const prefix = text.slice(0, Math.max(0, text.lastIndexOf("1")));
  const network = coin.prefixes.get(prefix.toLowerCase());
  return network === undefined ? readBase58(text, coin) : readSegwit(text, network);
}

function readBase58(text: string, coin: BitcoinLikeCoin): Address | undefined {
  if (text.length > base58Length) return undefined;
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text);
  } catch {
    return undefined;
  }
  const network = coin.versions.get(payload[0] ?? -1);
  if (network === undefined || payload.length !== 21) return undefined;
  return { network, normalized: text };
}

/** BIP 350: version 0 uses bech32 and later versions bech32m, so that typing errors are detected. */
function readSegwit(text: string, network: "main" | "test"): Address | undefined {
  if (text.length > bech32Length) return undefined;
  const plain = bech32.decodeUnsafe(text);
  const decoded = plain ?? bech32m.decodeUnsafe(text);
  if (decoded === undefined) return undefined;

  const [version, ...words] = decoded.words;
  if (version === undefined || version > 16) return undefined;
  if ((version === 0) !== (plain !== undefined)) return undefined;

  const bytes = bech32.fromWordsUnsafe(words)?.length ?? 0;
  const fits = version === 0 ? bytes === 20 || bytes === 32 : bytes >= 2 && bytes <= 40;
  return fits ? { network, normalized: text.toLowerCase() } : undefined;
}
