import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { depositColumns, depositOf, type DepositRecord } from "./list-deposits.ts";

export interface DepositFilter {
  readonly state?: DepositRecord["state"] | undefined;
  /** An exact address, transaction id or account id. */
  readonly query?: string | undefined;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

/** A deposit as operators see it, with its account and current confirmations. */
export interface DeskDeposit extends DepositRecord {
  readonly accountId: string;
  readonly username: string;
}

/** A page of all deposits, newest first. */
export async function listAllDeposits(
  { db }: Core,
  { state, query, after }: DepositFilter,
): Promise<readonly DeskDeposit[]> {
  let deposits = db.read
    .selectFrom("deposits")
    .innerJoin("accounts", "accounts.id", "deposits.account_id")
    .select(depositColumns)
    .select(["deposits.account_id as accountId", "accounts.username"])
    .orderBy("deposits.id", "desc")
    .limit(limits.listLength);
  if (state !== undefined) deposits = deposits.where("deposits.state", "=", state);
  if (after !== undefined && after !== "") deposits = deposits.where("deposits.id", "<", after);
  const wanted = query?.trim() ?? "";
  if (wanted !== "") {
    deposits = deposits.where((eb) =>
      eb.or([
        eb("deposits.address", "=", wanted),
        eb("deposits.transaction_id", "=", wanted),
        eb("deposits.account_id", "=", wanted),
      ]),
    );
  }
  return (await deposits.execute()).map(depositOf);
}
