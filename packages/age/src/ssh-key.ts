import { base64, base64nopad } from "@scure/base";
import { WireReader } from "./wire-reader.ts";

/** The SSH key types that age encrypts to. */
export const sealableTypes = ["ssh-ed25519", "ssh-rsa"] as const;

export type SealableType = (typeof sealableTypes)[number];

const fingerprintPrefix = "SHA256:";

/** A public key in SSH's binary form, which age hashes. */
export interface SshKey {
  readonly type: string;
  readonly wire: Uint8Array;
  /** The fields after the type. */
  readonly fields: readonly Uint8Array[];
}

export function isSealable(type: string): type is SealableType {
  return sealableTypes.some((known) => known === type);
}

/** Reads one line of OpenSSH's format. */
export function readPublicKey(line: string): SshKey {
  const [, encoded = ""] = line.trim().split(/\s+/);
  const wire = base64.decode(encoded);
  const reader = new WireReader(wire);
  const type = reader.word();
  const fields: Uint8Array[] = [];
  while (!reader.isAtEnd) fields.push(reader.field());
  return { type, wire, fields };
}

/** As ssh-keygen prints it. */
export function fingerprintOf(hash: Uint8Array): string {
  return fingerprintPrefix + base64nopad.encode(hash);
}

/** How a stanza names its key: the first four bytes of the hash that the fingerprint shows. */
export function tagOf(fingerprint: string): string {
  const hash = base64nopad.decode(fingerprint.slice(fingerprintPrefix.length));
  return base64nopad.encode(hash.subarray(0, 4));
}
