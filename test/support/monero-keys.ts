import { ed25519 } from "@noble/curves/ed25519.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { encodeAddress, scalarOf } from "#server/adapters/chain-monero/account-key.ts";
import { networks } from "#server/adapters/chain-monero/networks.ts";

/** A wallet of regtest whose keys follow from its name. Worthless: everyone can compute them. */
export interface MoneroKeys {
  readonly address: string;
  readonly spendKey: string;
  readonly viewKey: string;
}

export function moneroKeys(name: string): MoneroKeys {
  const spend = scalarOf(keccak_256(Buffer.from(name)));
  const spendKey = littleEndian(spend);
  const view = scalarOf(keccak_256(spendKey));
  const publicOf = (scalar: bigint) => ed25519.Point.BASE.multiply(scalar).toBytes();
  return {
    address: encodeAddress(networks.regtest.primaryByte, publicOf(spend), publicOf(view)),
    spendKey: spendKey.toString("hex"),
    viewKey: littleEndian(view).toString("hex"),
  };
}

function littleEndian(scalar: bigint): Buffer {
  return Buffer.from(Uint8Array.fromHex(scalar.toString(16).padStart(64, "0")).toReversed());
}

/** The wallet that pays in tests, and the house's own wallet, which the service watches. */
export const payerKeys = moneroKeys("ironlease test payer");
export const houseKeys = moneroKeys("ironlease test house");
