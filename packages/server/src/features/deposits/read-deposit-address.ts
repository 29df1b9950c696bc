import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { prepared, preparedOne } from "#kernel/sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { addressesOf, type DepositAddressRecord } from "./list-deposit-addresses.ts";
import { depositsOf, ownDepositOf, type DepositRecord } from "./list-deposits.ts";

export interface DepositAddressDetail extends DepositAddressRecord {
  readonly confirmationsRequired: number;
  /** Newest first. */
  readonly latestDeposits: readonly DepositRecord[];
}

const shownDeposits = 20;

type OneAddress = Readonly<{ accountId: string; addressId: string }>;

const selectAddress = preparedOne(
  ["accountId", "addressId"],
  (db, { accountId, addressId }: OneAddress) =>
    addressesOf(db, accountId)
      .select("confirmations_required as confirmationsRequired")
      .where("id", "=", addressId),
);

const selectDeposits = prepared(
  ["accountId", "addressId"],
  (db, { accountId, addressId }: OneAddress) =>
    depositsOf(db, accountId).where("address_id", "=", addressId).limit(shownDeposits),
);

/** One of the account's own addresses, with the latest payments to it. */
export async function readDepositAddress(
  { db }: Core,
  accountId: string,
  addressId: string,
): Promise<Result<DepositAddressDetail>> {
  const found = await selectAddress(db.read, { accountId, addressId });
  if (found === undefined) return refuse("not_found");
  const rows = await selectDeposits(db.read, { accountId, addressId });
  const address = found as DepositAddressRecord & typeof found;
  return ok({ ...address, latestDeposits: rows.map(ownDepositOf) });
}
