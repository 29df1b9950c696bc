import {
  createMoneroChain,
  type MoneroChainOptions,
} from "#server/adapters/chain-monero/monero-chain.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { ChainWatch } from "./chain-watch.ts";
import type { MoneroChain } from "./monero-chain.ts";
import { houseKeys } from "./monero-keys.ts";

type Servers = Pick<MoneroChainOptions, "daemonUrl" | "walletRpcUrl" | "walletLoginFile">;

/** The adapter on real servers, with the keys of the house. */
export function openMonero(servers: Servers, changes: Partial<MoneroChainOptions> = {}): Chain {
  return createMoneroChain({
    network: "regtest",
    ...servers,
    address: houseKeys.address,
    viewKey: houseKeys.viewKey,
    birthHeight: 0,
    confirmations: [{ fromCents: 0, needed: 10 }],
    ...changes,
  });
}

export function serversOf({ daemon, house }: Pick<MoneroChain, "daemon" | "house">): Servers {
  return { daemonUrl: daemon.url, walletRpcUrl: house.url, walletLoginFile: house.loginFile };
}

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
