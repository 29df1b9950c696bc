import type { Asset } from "#ports/settlement.ts";
import type { TxScope } from "./call.ts";
import { preparedInsert } from "./sql/prepared.ts";

const insertEntry = preparedInsert("house_entries", [
  "id",
  "created_at",
  "cause",
  "from_account",
  "to_account",
  "amount_cents",
  "network",
  "asset",
  "amount_units",
  "description",
  "reference_kind",
  "reference_id",
]);

/** Coins that left the wallet of a chain. */
export interface SpentCoins {
  readonly network: string;
  readonly asset: Asset;
  readonly units: bigint;
  /** Their value at the rate of the payout. */
  readonly cents: number;
  readonly reference: { readonly kind: "payout" | "withdrawal"; readonly id: string };
}

/** The coins of a payout: what the customers withdrew is no longer in the wallet. Once per reference. */
export function recordPaidCoins(scope: TxScope, spent: SpentCoins): Promise<void> {
  const { asset, reference } = spent;
  return insert(scope, spent, {
    cause: `${reference.kind}/${reference.id}/coins`,
    from: "house/payouts",
    to: `house/settlement/${asset}`,
    description: `Withdrawals paid in ${asset}`,
  });
}

/** The network's fee for a payout, which the house bears. Once per reference. */
export function recordNetworkFee(scope: TxScope, spent: SpentCoins): Promise<void> {
  const { asset, reference } = spent;
  return insert(scope, spent, {
    cause: `${reference.kind}/${reference.id}/fee`,
    from: "house/network-fees",
    to: `house/settlement/${asset}`,
    description: `Network fee of a payout in ${asset}`,
  });
}

interface Posting {
  readonly cause: string;
  readonly from: string;
  readonly to: string;
  readonly description: string;
}

/** The unique cause allows each entry once. */
function insert(
  { tx, core }: TxScope,
  { network, asset, units, cents, reference }: SpentCoins,
  { cause, from, to, description }: Posting,
): Promise<void> {
  return insertEntry(tx, {
    id: core.ids.next("ledgerEntry"),
    created_at: core.clock.now(),
    cause,
    from_account: from,
    to_account: to,
    amount_cents: cents,
    network,
    asset,
    amount_units: String(units),
    description,
    reference_kind: reference.kind,
    reference_id: reference.id,
  });
}
