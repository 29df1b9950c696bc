import type { Asset, Holding } from "#ports/settlement.ts";
import { resultOf, type RpcCall } from "../json-rpc.ts";
import { hexOf } from "./answers.ts";
import { checkChain, type WatchedChain } from "./check-chain.ts";
import { encodeBalanceOf } from "./erc20.ts";

/** Enough to move it elsewhere. Tokens differ, USDC and USDT need less. */
const gas = { ether: 21_000n, token: 80_000n };

/** What addresses hold in a block, and what moving it elsewhere costs at the present base fee. */
export async function readHoldings(
  watched: WatchedChain,
  addresses: readonly string[],
  height: number,
  signal: AbortSignal,
): Promise<readonly Holding[]> {
  const { node, tokens } = watched;
  await checkChain(watched, signal);
  const at = hexOf(height);
  const assets: readonly Asset[] = ["ETH", ...tokens.map(({ asset }) => asset)];
  const calls = addresses.flatMap((address): RpcCall[] => [
    { method: "eth_getBalance", params: [address, at] },
    ...tokens.map(({ contract: to }) => ({
      method: "eth_call",
      params: [{ to, data: encodeBalanceOf(address) }, at],
    })),
  ]);
  const [price, ...balances] = await node.ask(
    [{ method: "eth_gasPrice", params: [] }, ...calls],
    signal,
  );
  const gasPrice = node.read("eth_gasPrice").quantity(resultOf(price), "price");
  return balances.flatMap((balance, position): Holding[] => {
    const address = addresses[Math.floor(position / assets.length)];
    const asset = assets[position % assets.length];
    const units = node.read("eth_getBalance").quantity(resultOf(balance), "balance");
    if (address === undefined || asset === undefined || units === 0n) return [];
    const moveUnits = 2n * gasPrice * (asset === "ETH" ? gas.ether : gas.token);
    return [{ address, asset, units, moveUnits }];
  });
}
