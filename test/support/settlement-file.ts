import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./daemon.ts";
import type { LitecoinChain } from "./litecoin-chain.ts";
import { testAccountKey } from "./litecoin-watch.ts";

/** Writes a settlement file for the chain, with a litecoin at 80 USD, and returns its path. */
export function settlementFile({ node }: LitecoinChain, changes: object = {}): string {
  const file = join(temporaryFolder(), "settlement.json");
  const entry = {
    kind: "litecoin",
    network: "regtest",
    rpcUrl: node.url,
    rpcCookieFile: node.cookieFile,
    accountPublicKey: testAccountKey,
    birthHeight: 0,
    confirmations: [{ fromUsd: 0, needed: 2 }],
    ...changes,
  };
  const rates = { source: "fixed", usd: { LTC: "80.00" } };
  writeFileSync(file, JSON.stringify({ chains: [entry], rates }, undefined, 2));
  return file;
}
