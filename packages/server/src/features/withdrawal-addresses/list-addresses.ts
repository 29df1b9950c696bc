import type { Core } from "#kernel/core.ts";
import { coolDownMs } from "#kernel/withdrawal-guard.ts";
import type { Asset } from "#ports/settlement.ts";

export interface WithdrawalAddress {
  readonly id: string;
  readonly asset: Asset;
  readonly destination: string;
  readonly label: string;
  readonly createdAt: number;
  readonly usableAt: number;
}

/** The account's saved addresses, newest first. Their limit bounds the list. */
export async function listWithdrawalAddresses(
  core: Core,
  accountId: string,
): Promise<readonly WithdrawalAddress[]> {
  const rows = await core.db.read
    .selectFrom("withdrawal_addresses")
    .select(["id", "asset", "destination", "label", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    ...row,
    asset: row.asset as Asset,
    usableAt: row.createdAt + coolDownMs,
  }));
}
