import { SettlementUnavailable, type ChainCursor } from "#ports/settlement.ts";
import type { BitcoinNode, BlockHeader } from "./bitcoin-node.ts";

export interface ScanStart {
  readonly node: BitcoinNode;
  readonly network: string;
  readonly birthHeight: number;
  readonly finalDepth: number;
  readonly isOutOfTime: () => boolean;
}

/** Where a scan continues. */
export interface Position {
  /** Undefined: nothing is scanned yet, and the scan starts at the birth height. */
  readonly block: ChainCursor | undefined;
  /** How many blocks the scan went back from the cursor. */
  readonly undone: number;
  /** The node has not reached the cursor, or the time for this page is over. */
  readonly mustStop: boolean;
}

/** Finds the last scanned block that is still part of the node's chain. */
export async function findPosition(
  start: ScanStart,
  cursor: ChainCursor | undefined,
  tip: ChainCursor,
  signal: AbortSignal,
): Promise<Position> {
  const { network, birthHeight, finalDepth, node } = start;
  if (cursor === undefined) {
    if (tip.height < birthHeight) {
      throw new SettlementUnavailable(
        `The node of ${network} is at block ${tip.height}, before the birth height ${birthHeight}`,
      );
    }
    return { block: undefined, undone: 0, mustStop: false };
  }
  const waiting: Position = { block: cursor, undone: 0, mustStop: true };
  // A reorganization does not make the chain that much shorter. The node is still downloading it.
  if (tip.height < cursor.height - finalDepth) return waiting;
  const header = await headerOf(node, cursor.hash, signal);
  if (header !== undefined) return walkBack(start, header, tip, signal);
  if (tip.height < cursor.height) return waiting;
  return rewind(start, cursor, signal);
}

/** Follows an orphaned branch back to the block where it left the active chain. */
async function walkBack(
  { node, isOutOfTime }: ScanStart,
  cursor: BlockHeader,
  tip: ChainCursor,
  signal: AbortSignal,
): Promise<Position> {
  let block = cursor;
  while (block.confirmations < 0) {
    // The next page continues from this orphaned block, so each page must get further.
    if (block !== cursor && block.height < tip.height && isOutOfTime()) {
      return { block: cursorAt(block), undone: cursor.height - block.height, mustStop: true };
    }
    block = await parentOf(node, block, signal);
  }
  // The node has the headers up to the cursor but not the blocks: nothing is orphaned, it is behind.
  if (block !== cursor && block.height >= tip.height) {
    return { block: cursorAt(cursor), undone: 0, mustStop: true };
  }
  return { block: cursorAt(block), undone: cursor.height - block.height, mustStop: false };
}

/** The node never saw the cursor's block, so the scan repeats all blocks that are not final. */
async function rewind(
  { node, birthHeight, finalDepth }: ScanStart,
  cursor: ChainCursor,
  signal: AbortSignal,
): Promise<Position> {
  const height = cursor.height - finalDepth;
  if (height < birthHeight) {
    return { block: undefined, undone: cursor.height - birthHeight + 1, mustStop: false };
  }
  const [hash] = await node.blockHashes(height, 1, signal);
  if (hash === undefined) throw changedChain();
  return { block: { height, hash }, undone: finalDepth, mustStop: false };
}

async function parentOf(
  node: BitcoinNode,
  { previousHash }: BlockHeader,
  signal: AbortSignal,
): Promise<BlockHeader> {
  const parent =
    previousHash === undefined ? undefined : await headerOf(node, previousHash, signal);
  if (parent === undefined) throw changedChain();
  return parent;
}

async function headerOf(
  node: BitcoinNode,
  hash: string,
  signal: AbortSignal,
): Promise<BlockHeader | undefined> {
  return (await node.headers([hash], signal)).get(hash);
}

/** Callers store the cursor, so it has nothing else of the header. */
function cursorAt({ height, hash }: BlockHeader): ChainCursor {
  return { height, hash };
}

function changedChain(): SettlementUnavailable {
  return new SettlementUnavailable("The node changed its chain during the scan");
}
