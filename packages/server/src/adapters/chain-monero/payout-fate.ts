import type { PayoutFate, SentPayout } from "#ports/payouts.ts";
import type { ChainCursor } from "#ports/settlement.ts";
import { checkChain, type WatchedChain } from "./check-chain.ts";
import { walletPin } from "./payout-wallet.ts";
import { readTransaction } from "./transaction.ts";

/** Blocks that are searched again, because a reorganization may have replaced them. */
const overlap = 10;
/** A pass searches no more, because each block takes several calls. */
const mostBlocks = 50;

/** What became of a transaction that was sent. */
export async function payoutFate(
  chain: WatchedChain,
  { transactionId, pins, searchedHeight }: SentPayout,
  signal: AbortSignal,
): Promise<PayoutFate> {
  const { daemon } = chain;
  const { tip } = await checkChain(chain, signal);
  const keyImages = pins.filter((pin) => pin !== walletPin);
  // Read before the transaction: one that is mined in between has both.
  const spent = await daemon.spent(keyImages, signal);
  const found = (await daemon.transactions([transactionId], signal)).get(transactionId);
  if (found?.height !== undefined) {
    const { height } = found;
    const block = { height, hash: await daemon.hashAt(height, signal) };
    return { kind: "MINED", confirmations: Math.max(1, tip.height - height + 1), block };
  }
  const isKnown = found !== undefined;
  if (isKnown || !spent.includes("MINED")) {
    return { kind: "PENDING", isKnown, searchedHeight: tip.height };
  }
  const from = Math.max(0, (searchedHeight ?? tip.height) - overlap);
  return findSpender(chain, keyImages, { from, tip }, signal);
}

/** Another transaction has spent the coins. The daemon does not tell which. */
async function findSpender(
  { network, daemon }: WatchedChain,
  keyImages: readonly string[],
  { from, tip }: { readonly from: number; readonly tip: ChainCursor },
  signal: AbortSignal,
): Promise<PayoutFate> {
  const last = Math.min(tip.height, from + mostBlocks - 1);
  for (let height = from; height <= last; height += 1) {
    const ids = await daemon.transactionIdsAt(height, signal);
    for (const { id, pruned } of (await daemon.transactions(ids, signal)).values()) {
      const spends = readTransaction(pruned)?.keyImages ?? [];
      if (!spends.some((keyImage) => keyImages.includes(keyImage))) continue;
      const evidence = `Transaction ${id} in block ${height} of ${network} spent the same coins.`;
      return { kind: "FAILED", evidence, confirmations: tip.height - height + 1 };
    }
  }
  return { kind: "PENDING", isKnown: false, searchedHeight: Math.max(from, last) };
}
