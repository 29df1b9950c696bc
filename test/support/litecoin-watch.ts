import {
  createBitcoinChain,
  type BitcoinChainOptions,
} from "#server/adapters/chain-bitcoin/bitcoin-chain.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { ChainWatch } from "./chain-watch.ts";
import type { Litecoind } from "./litecoind.ts";

/** The test network's account of the well-known seed `abandon … about`, at m/84'/1'/0'. */
export const testAccountKey =
  "tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M";

/** The adapter on a real node. */
export function openLitecoin(
  { url, cookieFile }: Pick<Litecoind, "url" | "cookieFile">,
  changes: Partial<BitcoinChainOptions> = {},
): Chain {
  return createBitcoinChain({
    kind: "litecoin",
    network: "regtest",
    rpcUrl: url,
    credentials: { cookieFile },
    accountPublicKey: testAccountKey,
    birthHeight: 0,
    confirmations: [{ fromCents: 0, needed: 6 }],
    ...changes,
  });
}

/** The tests of a file share a chain, so each watch has addresses of its own. */
const indexesPerWatch = 100;
let watches = 0;

/** Follows a real node from its tip on. Nothing that was paid before is seen. */
export async function watchLitecoin(node: Litecoind): Promise<ChainWatch> {
  const birthHeight = await node.rpc<number>("getblockcount");
  const watch = new ChainWatch(openLitecoin(node, { birthHeight }), watches * indexesPerWatch);
  watches += 1;
  await watch.catchUp();
  return watch;
}
