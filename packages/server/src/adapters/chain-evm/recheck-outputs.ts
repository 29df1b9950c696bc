import type { ChainCursor, KnownOutput, OutputFate } from "#ports/settlement.ts";
import { checkChain, confirmationsAt, type WatchedChain } from "./check-chain.ts";

/** Reports what became of outputs, and leaves out those that the node cannot decide. */
export async function recheckOutputs(
  watched: WatchedChain,
  outputs: readonly KnownOutput[],
  cursor: ChainCursor,
  signal: AbortSignal,
): Promise<readonly OutputFate[]> {
  const { node } = watched;
  const head = await checkChain(watched, signal);
  const heights = new Set(
    outputs.flatMap(({ block }) => (block === undefined ? [] : [block.height])),
  );
  const hashes = await node.blockHashes([...heights], signal);

  const fates: OutputFate[] = [];
  const unmined: KnownOutput[] = [];
  for (const output of outputs) {
    const { block } = output;
    if (block !== undefined && hashes.get(block.height) === block.hash) {
      const confirmations = confirmationsAt(head, block.height);
      fates.push(fateOf(output, { block, confirmations, isGone: false }));
      // A node that has not reached the block says nothing about it.
    } else if (block === undefined || block.height <= head.tip.height) unmined.push(output);
  }
  if (unmined.length === 0) return fates;

  const ids = [...new Set(unmined.map(({ transactionId }) => transactionId))];
  const known = await node.transactions(ids, signal);
  const isPooled = ({ transactionId }: KnownOutput): boolean => {
    const transaction = known.get(transactionId);
    return transaction !== undefined && transaction.blockHash === undefined;
  };
  const waiting = { block: undefined, confirmations: 0, isGone: false };
  fates.push(...unmined.filter(isPooled).map((output) => fateOf(output, waiting)));
  const absent = unmined.filter((output) => !isPooled(output));
  if (absent.length === 0 || head.tip.hash !== cursor.hash) return fates;

  // A block that arrived in the meantime may contain them. In an older block, the scan would have found them.
  const after = await checkChain(watched, signal);
  if (after.tip.hash !== cursor.hash) return fates;
  const gone = { block: undefined, confirmations: 0, isGone: true };
  return [...fates, ...absent.map((output) => fateOf(output, gone))];
}

function fateOf(
  { transactionId, outputIndex }: KnownOutput,
  fate: Pick<OutputFate, "block" | "confirmations" | "isGone">,
): OutputFate {
  return { transactionId, outputIndex, ...fate };
}
