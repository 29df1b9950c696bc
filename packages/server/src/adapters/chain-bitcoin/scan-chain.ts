import {
  SettlementUnavailable,
  type ChainCursor,
  type OwnAddresses,
  type Scan,
  type Sighting,
} from "#ports/settlement.ts";
import { checkChain, type WatchedChain } from "./check-chain.ts";
import { findPosition } from "./find-position.ts";
import { findPayments, type PaymentTerms } from "./payments.ts";
import type { PoolWatch } from "./pool-watch.ts";

export interface ScanOptions extends WatchedChain, PaymentTerms {
  readonly birthHeight: number;
  readonly finalDepth: number;
  readonly pool: PoolWatch;
  readonly pageMs: number;
}

interface Page {
  readonly last: ChainCursor | undefined;
  readonly outputs: readonly Sighting[];
}

const blocksPerPage = 50;

export async function scanChain(
  options: ScanOptions,
  cursor: ChainCursor | undefined,
  own: OwnAddresses,
  signal: AbortSignal,
): Promise<Scan> {
  const endsAt = performance.now() + options.pageMs;
  const isOutOfTime = (): boolean => performance.now() >= endsAt;
  const { tip } = await checkChain(options, signal);
  const position = await findPosition({ ...options, isOutOfTime }, cursor, tip, signal);
  const { undone } = position;
  if (position.block !== undefined && position.mustStop) {
    return { cursor: position.block, undone, outputs: [], fates: [], hasMore: undone > 0 };
  }

  const page = await readPage(options, position.block, { tip, own, isOutOfTime, signal });
  if (page.last === undefined) {
    throw new SettlementUnavailable(`The node of ${options.network} changed its chain. Try again.`);
  }
  const result = { cursor: page.last, undone, fates: [] };
  if (page.last.hash !== tip.hash) return { ...result, outputs: page.outputs, hasMore: true };

  const { outputs, isComplete } = await options.pool.scan(own, isOutOfTime, signal);
  return { ...result, outputs: [...page.outputs, ...outputs], hasMore: !isComplete };
}

/** Reads blocks up to the tip, the end of the page or a reorganization. */
async function readPage(
  options: ScanOptions,
  start: ChainCursor | undefined,
  scan: {
    readonly tip: ChainCursor;
    readonly own: OwnAddresses;
    readonly isOutOfTime: () => boolean;
    readonly signal: AbortSignal;
  },
): Promise<Page> {
  const { node, birthHeight } = options;
  const from = start === undefined ? birthHeight : start.height + 1;
  const count = Math.min(blocksPerPage, scan.tip.height - from + 1);
  const hashes = await node.blockHashes(from, count, scan.signal);

  const outputs: Sighting[] = [];
  let last = start;
  for (const [offset, hash] of hashes.entries()) {
    if (offset > 0 && scan.isOutOfTime()) break;
    const block = await node.block({ height: from + offset, hash }, scan.signal);
    const follows = last === undefined || block.previousHash === last.hash;
    if (!follows || block.confirmations < 1) break;
    outputs.push(...(await findPayments(block.transactions, block, scan.own, options)));
    last = { height: block.height, hash: block.hash };
  }
  return { last, outputs };
}
