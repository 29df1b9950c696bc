import {
  createMoneroChain,
  type MoneroChainOptions,
} from "#server/adapters/chain-monero/monero-chain.ts";
import { createMoneroRpc } from "#server/adapters/chain-monero/rpc.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { houseKeys } from "./monero-keys.ts";
import type { MoneroWallet } from "./monero-wallet.ts";
import type { Monerod } from "./monerod.ts";

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

export function serversOf({
  daemon,
  house,
}: {
  readonly daemon: Monerod;
  readonly house: MoneroWallet;
}): Servers {
  return { daemonUrl: daemon.url, walletRpcUrl: house.url, walletLoginFile: house.loginFile };
}

/** A call of the service's wallet server, which needs a login. */
export async function callMoneroWallet<Result>(
  { house }: { readonly house: MoneroWallet },
  method: string,
  parameters: object,
): Promise<Result> {
  const rpc = createMoneroRpc({ name: "The wallet", url: house.url, loginFile: house.loginFile });
  return (await rpc.call(method, parameters, new AbortController().signal)) as Result;
}
