import { SettlementUnavailable, type ChainCursor } from "#ports/settlement.ts";
import type { MoneroDaemon } from "./monero-daemon.ts";

/** Where a scan continues. */
export interface Position {
  /** The first block that was not scanned. */
  readonly from: number;
  /** How many blocks the scan went back from the cursor. */
  readonly undone: number;
  /** The daemon has not reached the cursor. */
  readonly mustWait: boolean;
}

interface ScanStart {
  readonly network: string;
  readonly daemon: MoneroDaemon;
  readonly birthHeight: number;
  readonly finalDepth: number;
}

/**
 * Goes back by the final depth when the cursor's block is not part of the chain. Looking for the fork would not be
 * faster: the wallet lists the payments of all these blocks in one answer.
 */
export async function findPosition(
  { network, daemon, birthHeight, finalDepth }: ScanStart,
  cursor: ChainCursor | undefined,
  tip: ChainCursor,
  signal: AbortSignal,
): Promise<Position> {
  if (cursor === undefined) {
    if (tip.height < birthHeight) {
      throw new SettlementUnavailable(
        `The daemon of ${network} is at block ${tip.height}, before the birth height ${birthHeight}`,
      );
    }
    return { from: birthHeight, undone: 0, mustWait: false };
  }
  const next = cursor.height + 1;
  if (tip.height < cursor.height) return { from: next, undone: 0, mustWait: true };
  if ((await daemon.hashAt(cursor.height, signal)) === cursor.hash) {
    return { from: next, undone: 0, mustWait: false };
  }
  const from = Math.max(birthHeight, next - finalDepth);
  return { from, undone: next - from, mustWait: false };
}
