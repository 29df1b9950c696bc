import { callChain, confirmationsNeeded } from "#kernel/settlement.ts";
import type { ChainHealth, Scan, Sighting } from "#ports/settlement.ts";
import { noteScan, readPosition, type ScanPosition } from "./chain-cursor.ts";
import { centsOf } from "#kernel/coin-amount.ts";
import { ownAddresses } from "./own-addresses.ts";
import { recordScan } from "./record-scan.ts";
import type { ChainRun } from "./settlement-pass.ts";

/** Bounds a pass even if the chain always has more. The next pass continues from the cursor. */
const maxPages = 100;

/**
 * Scans a chain up to its tip and records what pays our customers. Resolves to true when it reached the tip of a node
 * that is in sync.
 */
export async function scanChain(run: ChainRun, health: ChainHealth): Promise<boolean> {
  const { core, mode, chain, stop } = run;
  const own = ownAddresses(core, chain.network);
  for (let page = 0; page < maxPages; page += 1) {
    if (stop?.aborted === true) return false;
    const position = await readPosition(core, { mode, network: chain.network });
    const scan = await callChain(chain, (signal) => chain.scan(position.cursor, own, signal));
    const isAtTip = !scan.hasMore && isInSync(run, health, scan);
    const isRecorded = await record(run, position, scan, isAtTip);
    if (isRecorded && !scan.hasMore) return isAtTip;
  }
  return false;
}

/** A node below our cursor has not caught up with what an earlier node has shown us. */
function isInSync({ chain }: ChainRun, health: ChainHealth, { cursor }: Scan): boolean {
  return health.behindBlocks <= chain.maxBehindBlocks && cursor.height <= health.height;
}

async function record(
  run: ChainRun,
  position: ScanPosition,
  scan: Scan,
  isAtTip: boolean,
): Promise<boolean> {
  const { cursor } = position;
  const isSameCursor = cursor?.height === scan.cursor.height && cursor.hash === scan.cursor.hash;
  if (isSameCursor && scan.outputs.length === 0 && scan.fates.length === 0) {
    if (isAtTip) await noteScan(run.core, position);
    return true;
  }
  const outputs: Sighting[] = [];
  for (const output of scan.outputs) outputs.push(await withNeeded(run, output));
  return recordScan(run, position, { ...scan, outputs, isAtTip });
}

/** Larger payments may need more confirmations. Checked again when the payment is credited. */
async function withNeeded(run: ChainRun, sighting: Sighting): Promise<Sighting> {
  const terms = run.chain.assets.get(sighting.asset);
  if (terms === undefined || terms.confirmations.length === 1) return sighting;
  const rate = await run.rateOf(sighting.asset);
  if (rate === undefined) return sighting;
  const cents = centsOf(sighting.amountUnits, terms.decimals, rate.rate) ?? 0n;
  const { confirmationsNeeded: neededByOutput = 0 } = sighting;
  const neededByValue = confirmationsNeeded(terms, Number(cents));
  return { ...sighting, confirmationsNeeded: Math.max(neededByOutput, neededByValue) };
}
