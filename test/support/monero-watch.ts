import { ChainWatch } from "./chain-watch.ts";
import { openMonero, serversOf } from "./monero-adapter.ts";
import type { MoneroChain } from "./monero-chain.ts";

const indexesPerWatch = 10;
let watches = 0;

/** Follows a real chain from its tip on. Nothing that was paid before is seen. */
export async function watchMonero(chain: MoneroChain): Promise<ChainWatch> {
  const birthHeight = await chain.tipHeight();
  const adapter = openMonero(serversOf(chain), { birthHeight });
  const firstIndex = watches * indexesPerWatch;
  watches += 1;
  await adapter.prepareAddress(firstIndex + indexesPerWatch - 1, new AbortController().signal);
  const watch = new ChainWatch(adapter, firstIndex);
  await watch.catchUp();
  return watch;
}
