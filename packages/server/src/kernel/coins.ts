import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { OwnCoin } from "#ports/payouts.ts";
import type { Asset } from "#ports/settlement.ts";
import type { TxScope } from "./call.ts";

/** Every write to `coins`: the outputs that a chain's account key received and that payouts spend. */

/** Adds the output of a credited deposit. */
export async function addDepositedCoin(tx: Tx, depositId: string): Promise<void> {
  await tx
    .insertInto("coins")
    .columns([
      "network",
      "transaction_id",
      "output_index",
      "asset",
      "amount_units",
      "keychain_id",
      "branch",
      "derivation_index",
    ])
    .expression((eb) =>
      eb
        .selectFrom("deposits as d")
        .innerJoin("deposit_addresses as a", "a.id", "d.address_id")
        .select([
          "d.network",
          "d.transaction_id",
          "d.output_index",
          "d.asset",
          "d.amount_units",
          sql<string>`a.keychain_id`.as("keychain_id"),
          sql<number>`0`.as("branch"),
          sql<number>`a.derivation_index`.as("derivation_index"),
        ])
        .where("d.id", "=", depositId),
    )
    // On SQLite `on conflict` after a select needs the condition above to be unambiguous.
    .onConflict((conflict) =>
      conflict.columns(["network", "transaction_id", "output_index"]).doNothing(),
    )
    .execute();
}

export interface ChangeCoin {
  readonly network: string;
  readonly asset: Asset;
  readonly publicKey: string;
  readonly transactionId: string;
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  readonly index: number;
}

/** Adds the change of a confirmed payout. */
export async function addChangeCoin(tx: Tx, coin: ChangeCoin): Promise<void> {
  const { network, publicKey } = coin;
  const { id } = await tx
    .selectFrom("keychains")
    .select("id")
    .where("network", "=", network)
    .where("public_key", "=", publicKey)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("coins")
    .values({
      network,
      transaction_id: coin.transactionId,
      output_index: coin.outputIndex,
      asset: coin.asset,
      amount_units: String(coin.amountUnits),
      keychain_id: id,
      branch: 1,
      derivation_index: coin.index,
      missing_since: null,
      spent_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["network", "transaction_id", "output_index"]).doNothing(),
    )
    .execute();
}

type OutputName = Pick<OwnCoin, "transactionId" | "outputIndex">;

/** A payout has spent it. */
export async function markSpent(
  { tx, core }: TxScope,
  network: string,
  { transactionId, outputIndex }: OutputName,
): Promise<void> {
  await tx
    .updateTable("coins")
    .set({ spent_at: core.clock.now() })
    .where("network", "=", network)
    .where("transaction_id", "=", transactionId)
    .where("output_index", "=", outputIndex)
    .where("spent_at", "is", null)
    .execute();
}

/** A reorganization can make a coin reappear, so one that is missing counts as spent only after this long. */
const missingMs = 24 * 3_600_000;

/** Records that the node has a coin or no longer has it. */
export async function recordPresence(
  { tx, core }: TxScope,
  network: string,
  { transactionId, outputIndex }: OutputName,
  isMissing: boolean,
): Promise<void> {
  const now = core.clock.now();
  const coin = tx
    .updateTable("coins")
    .where("network", "=", network)
    .where("transaction_id", "=", transactionId)
    .where("output_index", "=", outputIndex)
    .where("spent_at", "is", null);
  if (!isMissing) {
    await coin.set({ missing_since: null }).where("missing_since", "is not", null).execute();
    return;
  }
  await coin
    .set({
      missing_since: sql`coalesce(missing_since, cast(${now} as bigint))`,
      spent_at: sql`case when missing_since <= ${now - missingMs} then cast(${now} as bigint) end`,
    })
    .execute();
}
