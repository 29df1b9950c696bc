import {
  SettlementUnavailable,
  type ChainCursor,
  type OwnAddresses,
  type Scan,
  type Sighting,
} from "#ports/settlement.ts";
import { checkChain, type ChainHead, type WatchedChain } from "./check-chain.ts";
import { findPayments } from "./payments.ts";

export interface ScanOptions extends WatchedChain {
  readonly birthHeight: number;
  readonly finalDepth: number;
  readonly pageMs: number;
}

/** Where a scan continues. */
interface Position {
  /** Undefined: at the birth height. */
  readonly block: ChainCursor | undefined;
  readonly undone: number;
}

interface Page {
  readonly last: ChainCursor | undefined;
  readonly outputs: readonly Sighting[];
}

const blocksPerPage = 20;

export async function scanChain(
  options: ScanOptions,
  cursor: ChainCursor | undefined,
  own: OwnAddresses,
  signal: AbortSignal,
): Promise<Scan> {
  const head = await checkChain(options, signal);
  const { tip } = head;
  // A node that is behind. What it lacks is not undone.
  if (cursor !== undefined && tip.height < cursor.height) {
    return { cursor, undone: 0, outputs: [], fates: [], hasMore: false };
  }
  const { block, undone } = await findPosition(options, cursor, head, signal);
  const page = await readPage(options, block, head, own, signal);
  if (page.last === undefined) throw changedChain(options.network);
  const { last, outputs } = page;
  return { cursor: last, undone, outputs, fates: [], hasMore: last.hash !== tip.hash };
}

/**
 * Nodes do not keep orphaned blocks, so a scan whose last block is orphaned repeats all blocks that are not final.
 */
async function findPosition(
  { node, network, birthHeight, finalDepth }: ScanOptions,
  cursor: ChainCursor | undefined,
  { tip, confirmedHeight }: ChainHead,
  signal: AbortSignal,
): Promise<Position> {
  if (cursor === undefined) {
    if (tip.height >= birthHeight) return { block: undefined, undone: 0 };
    throw new SettlementUnavailable(
      `The node of ${network} is at block ${tip.height}, before the birth height ${birthHeight}`,
    );
  }
  const height = Math.min(cursor.height - finalDepth, confirmedHeight);
  const hashes = await node.blockHashes([cursor.height, Math.max(0, height)], signal);
  if (hashes.get(cursor.height) === cursor.hash) return { block: cursor, undone: 0 };
  if (height < birthHeight) {
    return { block: undefined, undone: cursor.height - birthHeight + 1 };
  }
  const hash = hashes.get(height);
  if (hash === undefined) throw changedChain(network);
  return { block: { height, hash }, undone: cursor.height - height };
}

/** Reads blocks up to the tip, the end of the page or a reorganization. */
async function readPage(
  options: ScanOptions,
  start: ChainCursor | undefined,
  head: ChainHead,
  own: OwnAddresses,
  signal: AbortSignal,
): Promise<Page> {
  const endsAt = performance.now() + options.pageMs;
  const from = start === undefined ? options.birthHeight : start.height + 1;
  const count = Math.min(blocksPerPage, head.tip.height - from + 1);
  const blocks = await options.node.blocks(from, count, signal);

  const outputs: Sighting[] = [];
  let last = start;
  for (const block of blocks) {
    if (block.height > from && performance.now() >= endsAt) break;
    if (last !== undefined && block.parentHash !== last.hash) break;
    outputs.push(...(await findPayments(options, block, own, head, signal)));
    last = { height: block.height, hash: block.hash };
  }
  return { last, outputs };
}

function changedChain(network: string): SettlementUnavailable {
  return new SettlementUnavailable(`The node of ${network} changed its chain. Try again.`);
}
