import { sql } from "kysely";
import type { TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { ChainCursor, SettlementMode } from "#ports/settlement.ts";

/** Every write to `settlement_cursors`: how far each chain was scanned, and which instance scans it. */

export interface ChainName {
  readonly mode: SettlementMode;
  readonly network: string;
}

/** How far a chain was scanned, and how many pages were recorded. */
export interface ScanPosition extends ChainName {
  readonly cursor: ChainCursor | undefined;
  readonly version: number;
}

/** Longer than a page takes. An instance that dies delays the others by this much. */
const leaseMs = 60_000;

export async function readPosition(core: Core, name: ChainName): Promise<ScanPosition> {
  const row = await select(core, name);
  const { height = null, hash = null, version = 0 } = row ?? {};
  const cursor = height === null ? undefined : { height, hash: hash ?? "" };
  return { ...name, cursor, version };
}

/** When a scan of this chain last reached the tip. */
export async function lastScanAt(core: Core, name: ChainName): Promise<number | undefined> {
  return (await select(core, name))?.scanned_at ?? undefined;
}

function select({ db }: Core, { mode, network }: ChainName) {
  return db.read
    .selectFrom("settlement_cursors")
    .select(["height", "hash", "version", "scanned_at"])
    .where("mode", "=", mode)
    .where("network", "=", network)
    .executeTakeFirst();
}

export interface Advance {
  readonly cursor: ChainCursor | undefined;
  /** Set when the page reached the tip. */
  readonly scannedAt?: number | undefined;
}

/**
 * Locks and advances the chain's cursor. False when another pass has recorded something since the position was read
 * (optimistic locking on the version).
 */
export async function advanceCursor(
  { tx, core }: TxScope,
  { mode, network, version }: ScanPosition,
  { cursor, scannedAt }: Advance,
): Promise<boolean> {
  const next = {
    height: cursor?.height ?? null,
    hash: cursor?.hash ?? null,
    version: version + 1,
    updated_at: core.clock.now(),
    ...(scannedAt !== undefined && { scanned_at: scannedAt }),
  };
  const { numUpdatedRows } = await tx
    .updateTable("settlement_cursors")
    .set(next)
    .where("mode", "=", mode)
    .where("network", "=", network)
    .where("version", "=", version)
    .executeTakeFirst();
  if (numUpdatedRows === 1n || version > 0) return numUpdatedRows === 1n;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("settlement_cursors")
    .values({ mode, network, scanned_at: null, lease_by: null, lease_until: null, ...next })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Notes that a scan reached the tip without finding anything new. */
export async function noteScan(
  core: Core,
  { mode, network, version }: ScanPosition,
): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .updateTable("settlement_cursors")
      .set({ scanned_at: core.clock.now() })
      .where("mode", "=", mode)
      .where("network", "=", network)
      .where("version", "=", version)
      .execute();
    return ok();
  });
}

/**
 * Takes or renews the lease on a chain. It only saves calls to the node: the version check keeps concurrent passes
 * correct. False when another instance holds it.
 */
export async function leaseChain(
  core: Core,
  { mode, network }: ChainName,
  holder: string,
): Promise<boolean> {
  const leased = await core.db.write(async (tx) => {
    const now = core.clock.now();
    const lease = { lease_by: holder, lease_until: now + leaseMs };
    const { numUpdatedRows } = await tx
      .updateTable("settlement_cursors")
      .set(lease)
      .where("mode", "=", mode)
      .where("network", "=", network)
      // A clock that went back must not keep a lease alive for longer than it lasts.
      .where(
        sql<boolean>`(lease_by is null or lease_by = ${holder} or lease_until <= ${now}
          or lease_until > ${now + leaseMs})`,
      )
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return ok(true);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("settlement_cursors")
      .values({
        mode,
        network,
        height: null,
        hash: null,
        version: 0,
        updated_at: now,
        scanned_at: null,
        ...lease,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return ok(numInsertedOrUpdatedRows === 1n);
  });
  return leased.ok && leased.value;
}

/** Gives up the lease, so that another instance takes over at once. */
export async function releaseChain(
  core: Core,
  { mode, network }: ChainName,
  holder: string,
): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .updateTable("settlement_cursors")
      .set({ lease_by: null, lease_until: null })
      .where("mode", "=", mode)
      .where("network", "=", network)
      .where("lease_by", "=", holder)
      .execute();
    return ok();
  });
}
