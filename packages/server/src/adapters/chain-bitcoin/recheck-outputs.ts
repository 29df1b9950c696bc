import type { ChainCursor, KnownOutput, OutputFate } from "#ports/settlement.ts";
import { checkChain, type WatchedChain } from "./check-chain.ts";

/** Reports what became of outputs, and leaves out those that the node cannot decide. */
export async function recheckOutputs(
  watched: WatchedChain,
  outputs: readonly KnownOutput[],
  cursor: ChainCursor,
  signal: AbortSignal,
): Promise<readonly OutputFate[]> {
  const { node } = watched;
  const { tip } = await checkChain(watched, signal);
  const hashes = new Set(outputs.flatMap(({ block }) => (block === undefined ? [] : [block.hash])));
  const headers = await node.headers([...hashes], signal);

  const fates: OutputFate[] = [];
  const unmined: KnownOutput[] = [];
  for (const output of outputs) {
    const { block } = output;
    const confirmations = block === undefined ? 0 : (headers.get(block.hash)?.confirmations ?? 0);
    if (confirmations > 0) fates.push(fateOf(output, { block, confirmations, isGone: false }));
    // A node that has not reached the block says nothing about it.
    else if (block === undefined || block.height <= tip.height) unmined.push(output);
  }
  if (unmined.length === 0) return fates;

  const ids = [...new Set(unmined.map(({ transactionId }) => transactionId))];
  const inPool = await node.poolContains(ids, signal);
  const pooled = unmined.filter(({ transactionId }) => inPool.has(transactionId));
  const absent = unmined.filter(({ transactionId }) => !inPool.has(transactionId));
  const waiting = { block: undefined, confirmations: 0, isGone: false };
  const gone = { block: undefined, confirmations: 0, isGone: true };
  fates.push(...pooled.map((output) => fateOf(output, waiting)));
  if (absent.length === 0 || tip.hash !== cursor.hash) return fates;

  // A block that arrived in the meantime may contain them, and a node that starts has an empty pool.
  const isPoolLoaded = await node.isPoolLoaded(signal);
  const after = await checkChain(watched, signal);
  if (isPoolLoaded && after.tip.hash === cursor.hash) {
    fates.push(...absent.map((output) => fateOf(output, gone)));
  }
  return fates;
}

function fateOf(
  { transactionId, outputIndex }: KnownOutput,
  fate: Pick<OutputFate, "block" | "confirmations" | "isGone">,
): OutputFate {
  return { transactionId, outputIndex, ...fate };
}
