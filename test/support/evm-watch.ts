import { createEvmChain, type EvmChainOptions } from "#server/adapters/chain-evm/evm-chain.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { contracts, testEvmAccount, type AnvilChain } from "./anvil-chain.ts";
import { ChainWatch } from "./chain-watch.ts";

/** The adapter on a real node. */
export function openEvm(rpcUrl: string, changes: Partial<EvmChainOptions> = {}): Chain {
  return createEvmChain({
    chainId: 31_337,
    rpcUrl,
    credentials: undefined,
    accountPublicKey: testEvmAccount.publicExtendedKey,
    birthHeight: 0,
    confirmations: [{ fromCents: 0, needed: 12 }],
    tokens: [
      { asset: "USDC", contract: contracts.Usdc },
      { asset: "USDT", contract: contracts.Usdt },
    ],
    ...changes,
  });
}

/** The tests of a file share a chain, so each watch has addresses of its own. */
const indexesPerWatch = 100;
let watches = 0;

/** Follows a real node from its tip on. Nothing that was paid before is seen. */
export async function watchEvm(
  anvil: AnvilChain,
  changes: Partial<EvmChainOptions> = {},
): Promise<ChainWatch> {
  const chain = openEvm(anvil.node.url, { birthHeight: await anvil.height(), ...changes });
  const watch = new ChainWatch(chain, watches * indexesPerWatch);
  watches += 1;
  await watch.catchUp();
  return watch;
}
