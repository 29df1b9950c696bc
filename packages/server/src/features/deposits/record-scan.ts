import { systemCall } from "#kernel/call.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { OutputFate, Scan, Sighting } from "#ports/settlement.ts";
import { advanceCursor, type ScanPosition } from "./chain-cursor.ts";
import { recordFate } from "./record-fate.ts";
import { recordSighting } from "./record-sighting.ts";
import type { ChainRun } from "./settlement-pass.ts";

/** One transaction records this many outputs of a page. */
const outputsPerTransaction = 50;

/** A page of a scan, and whether it reached the tip of a node in sync. */
type RecordedPage = Pick<Scan, "cursor" | "outputs" | "fates"> & { readonly isAtTip: boolean };

type News = { readonly sighting: Sighting } | { readonly fate: OutputFate };

/**
 * Records a page of a scan. The cursor moves in the transaction of the last output it covers, so a crash only repeats
 * work. Each transaction commits only if nothing was recorded since the page was requested, so stale confirmations
 * never overwrite newer ones. False when the page is stale.
 */
export async function recordScan(
  run: ChainRun,
  position: ScanPosition,
  scan: RecordedPage,
): Promise<boolean> {
  const { core, chain, pass } = run;
  const news: readonly News[] = [
    ...scan.outputs.map((sighting) => ({ sighting })),
    ...scan.fates.map((fate) => ({ fate })),
  ];

  let { version } = position;
  for (let start = 0; start === 0 || start < news.length; start += outputsPerTransaction) {
    const end = start + outputsPerTransaction;
    const isLast = end >= news.length;
    const next = {
      cursor: isLast ? scan.cursor : position.cursor,
      scannedAt: isLast && scan.isAtTip ? core.clock.now() : undefined,
    };
    const recorded = await core.db.write(async (tx) => {
      const step = { tx, core, call: systemCall };
      if (!(await advanceCursor(step, { ...position, version }, next))) return refuse("conflict");
      const counts = { seen: 0, gone: 0 };
      for (const item of news.slice(start, end)) {
        const { isSeen, isGone } =
          "sighting" in item
            ? await recordSighting(step, run, item.sighting)
            : await recordFate(step, chain, item.fate);
        if (isSeen) counts.seen += 1;
        if (isGone) counts.gone += 1;
      }
      return ok(counts);
    });
    if (!recorded.ok) return false;
    pass.seen += recorded.value.seen;
    pass.gone += recorded.value.gone;
    version += 1;
  }
  return true;
}
