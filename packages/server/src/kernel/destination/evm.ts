import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Address } from "./address.ts";

/**
 * All lower case carries no checksum and is accepted. Any capital letter makes it an EIP-55 address, whose checksum
 * must match. All capitals do not bypass it.
 */
export function readEvmAddress(text: string): Address | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const lowerCase = text.slice(2).toLowerCase();
  // No one holds the key of the zero address. Wallets send it when a field was left empty.
  if (/^0+$/.test(lowerCase)) return undefined;

  const normalized = eip55(lowerCase);
  const holds = text === normalized || text === `0x${lowerCase}`;
  return holds ? { network: "any", normalized } : undefined;
}

/** EIP-55: a letter is a capital if the hash of the lower-case digits has a digit of 8 or more there. */
function eip55(lowerCase: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(lowerCase, "latin1"))).toString("hex");
  const digits = Array.from(lowerCase, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${digits.join("")}`;
}
