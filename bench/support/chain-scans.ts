import { sql } from "kysely";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { register } from "#test/bare-core.ts";
import { workload } from "./workload.ts";

const { knownAddresses } = workload;

/** From the birth height to the tip. */
export async function coldScan(core: Core, { network }: Chain): Promise<number> {
  await core.db.write(async (tx) => {
    await tx.deleteFrom("settlement_cursors").where("network", "=", network).execute();
    return ok();
  });
  return timed(() => pass(core));
}

export async function pass(core: Core): Promise<void> {
  const { failures } = await watchSettlement(core);
  if (failures.length > 0) throw new AggregateError(failures, "The settlement pass failed.");
}

/** Addresses of one customer, which no block pays. */
export async function addAddresses(core: Core, { network, assets }: Chain): Promise<void> {
  const { accountId } = await register(core, `${network}-addresses`);
  const [asset = ""] = assets.keys();
  const series =
    core.db.engine === "postgres"
      ? sql`select n from generate_series(1, ${sql.lit(knownAddresses)}) as n`
      : sql`with recursive s(n) as (select 1 union all select n + 1 from s where n < ${sql.lit(knownAddresses)}) select n from s`;
  await core.db.write(async (tx) => {
    await sql`insert into deposit_addresses (id, account_id, intent_key, asset, network, mode, address,
      confirmations_required, created_at, keychain_id, derivation_index)
      select ${sql.lit(`dep_${network}_`)} || n, ${sql.lit(accountId)}, 'bench-' || n, ${sql.lit(asset)},
      ${sql.lit(network)}, 'TEST', ${sql.lit(`${network}-`)} || n, 6, 0, null, null from (${series}) as t`.execute(
      tx,
    );
    return ok();
  });
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function times(ms: number, ofMs: number): string {
  return `${(ms / ofMs).toFixed(2)} ×`;
}
