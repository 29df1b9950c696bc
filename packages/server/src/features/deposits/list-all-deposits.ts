import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { depositColumns, depositOf, type DepositRecord } from "./list-deposits.ts";

export interface DepositFilter {
  readonly state?: DepositRecord["state"] | undefined;
  /** An address, a transaction or an account, each as it is written. */
  readonly query?: string | undefined;
  /** The last identifier of the page before. */
  readonly after?: string | undefined;
}

/** A deposit as an operator sees it: whose it is, and with the confirmations that it has by now. */
export interface DeskDeposit extends DepositRecord {
  readonly accountId: string;
  readonly username: string;
}

/** A page of what was paid to anybody, the newest first. */
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
