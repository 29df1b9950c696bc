import { systemCall, type Step, type TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Settlement, SettlementNews, SettlementOutput } from "#ports/settlement.ts";
import { recordOutput } from "./record-output.ts";
import type { SettlementRun } from "./settlement-pass.ts";

/** How far a network has been read, and how many times news were recorded. */
export interface Place {
  readonly mode: string;
  readonly network: string;
  readonly cursor: string | undefined;
  readonly version: number;
}

/** A provider may report everything at once. One transaction records this much of it. */
const outputsPerTransaction = 50;

export async function readPlace(core: Core, mode: string, network: string): Promise<Place> {
  const row = await core.db.read
    .selectFrom("settlement_cursors")
    .select(["cursor", "version"])
    .where("mode", "=", mode)
    .where("network", "=", network)
    .executeTakeFirst();
  return { mode, network, cursor: row?.cursor ?? undefined, version: row?.version ?? 0 };
}

/**
 * Records a page of news. The cursor moves in the transaction of the last output it covers, so a crash only repeats
 * work. Each transaction commits only if nothing was recorded since the news were fetched (optimistic locking on the
 * version), so stale confirmations never overwrite newer ones. False when the news are stale.
 */
export async function recordNews(
  { core, settlement, pass }: SettlementRun,
  place: Place,
  news: SettlementNews,
): Promise<boolean> {
  if (news.outputs.length === 0 && news.cursor === place.cursor) return true;
  let version = place.version;
  for (let start = 0; start === 0 || start < news.outputs.length; start += outputsPerTransaction) {
    const end = start + outputsPerTransaction;
    const cursor = end < news.outputs.length ? place.cursor : news.cursor;
    const next = { ...place, cursor, version };
    const outputs = news.outputs.slice(start, end);
    const recorded = await core.db.write(async (tx) => {
      const step = { tx, core, call: systemCall };
      if (!(await advance(step, next))) return refuse("conflict");
      return ok(await recordOutputs(step, settlement, place.network, outputs));
    });
    if (!recorded.ok) return false;
    pass.seen += recorded.value.seen;
    pass.gone += recorded.value.gone;
    version += 1;
  }
  return true;
}

/** Locks and advances the network's cursor. False when another pass was faster. */
async function advance({ tx, core }: TxScope, next: Place): Promise<boolean> {
  const { mode, network, version } = next;
  const place = {
    cursor: next.cursor ?? null,
    version: version + 1,
    updated_at: core.clock.now(),
  };
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("settlement_cursors")
      .values({ mode, network, ...place })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await tx
    .updateTable("settlement_cursors")
    .set(place)
    .where("mode", "=", mode)
    .where("network", "=", network)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function recordOutputs(
  step: Step,
  settlement: Settlement,
  network: string,
  outputs: readonly SettlementOutput[],
): Promise<{ seen: number; gone: number }> {
  const counts = { seen: 0, gone: 0 };
  for (const output of outputs) {
    const connected = settlement.assets.get(output.asset);
    if (connected?.network !== network) {
      throw new Error(
        `the provider reported ${output.asset} on ${network}, where it does not support it`,
      );
    }
    const { isSeen, isGone } = await recordOutput(step, connected, output);
    if (isSeen) counts.seen += 1;
    if (isGone) counts.gone += 1;
  }
  return counts;
}
