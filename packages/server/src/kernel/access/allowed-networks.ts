import type { Result } from "#ports/result.ts";
import { isInNetworks, readNetwork } from "#kernel/networks.ts";
import { ok, refuseField } from "#kernel/result.ts";

/** The stored networks of a key or an operator. Null: anywhere. */
export function networksIn(stored: string | null): readonly string[] | null {
  return stored === null ? null : (JSON.parse(stored) as readonly string[]);
}

/** The networks that a request allows. Different notations of one network become one entry. */
export function readNetworks(
  texts: readonly string[] | null | undefined,
): Result<readonly string[] | null> {
  if (texts === null || texts === undefined) return ok(null);
  const networks = texts.map(readNetwork);
  const wrong = networks.indexOf(undefined);
  if (wrong !== -1) {
    return refuseField(
      "allowedNetworks",
      `must be addresses or CIDRs such as 203.0.113.0/24, and ${JSON.stringify(texts[wrong])} is neither`,
    );
  }
  return ok([...new Set(networks.filter((network) => network !== undefined))]);
}

/** Whether the address may be used. Null allows any. */
export function allowsAddress(networks: readonly string[] | null, address: string): boolean {
  return networks === null || isInNetworks(address, networks);
}
