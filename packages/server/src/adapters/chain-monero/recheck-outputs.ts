import type { ChainCursor, KnownOutput, OutputFate } from "#ports/settlement.ts";
import { checkChain, type WatchedChain } from "./check-chain.ts";
import { isLocked } from "./unlock-time.ts";

/** Reports what became of outputs. Asks the daemon alone: the wallet follows it with a delay. */
export async function recheckOutputs(
  watched: WatchedChain,
  outputs: readonly KnownOutput[],
  cursor: ChainCursor,
  signal: AbortSignal,
): Promise<readonly OutputFate[]> {
  const { daemon } = watched;
  const info = await checkChain(watched, signal);
  const { tip } = info;
  const ids = [...new Set(outputs.map(({ transactionId }) => transactionId))];
  const transactions = await daemon.transactions(ids, signal);

  const hashes = new Map<number, string>();
  const fates: OutputFate[] = [];
  for (const { transactionId, outputIndex, block } of outputs) {
    const key = { transactionId, outputIndex };
    const transaction = transactions.get(transactionId);
    if (transaction === undefined) {
      // A daemon that has not reached the block, or has blocks that were not scanned, says nothing about it.
      const isDecided = tip.hash === cursor.hash && (block?.height ?? 0) <= tip.height;
      if (isDecided) fates.push({ ...key, block: undefined, confirmations: 0, isGone: true });
      continue;
    }
    const { height, unlockTime } = transaction;
    const state = { isGone: false, isLocked: isLocked(unlockTime, info) };
    if (height === undefined) {
      fates.push({ ...key, ...state, block: undefined, confirmations: 0 });
      continue;
    }
    const hash = hashes.get(height) ?? (await daemon.hashAt(height, signal));
    hashes.set(height, hash);
    fates.push({
      ...key,
      ...state,
      block: { height, hash },
      confirmations: tip.height - height + 1,
    });
  }
  // The answers belong together only if no block arrived between them.
  const after = await daemon.info(signal);
  return after.tip.hash === tip.hash ? fates : [];
}
