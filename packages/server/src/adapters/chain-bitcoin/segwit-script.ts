import { bech32, hex } from "@scure/base";

/** Version 0, then a push of 20 bytes: pay to witness public key hash. */
const scriptPattern = /^0014[0-9a-f]{40}$/;
const scriptStart = 4;

export function isSegwitScript(script: string): boolean {
  return scriptPattern.test(script);
}

/** The native segwit address that a script pays. Nodes of different versions name addresses differently. */
export function addressOfScript(script: string, prefix: string): string {
  const hash = hex.decode(script.slice(scriptStart));
  return bech32.encode(prefix, [0, ...bech32.toWords(hash)]);
}
