import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { comesAfter } from "#kernel/sql/keyset.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { operatorServerColumns, type OperatorServer } from "./operator-server.ts";

export interface WithdrawalRecord {
  readonly id: string;
  readonly asset: string;
  readonly destination: string;
  readonly cents: number;
  readonly status: "PENDING_REVIEW" | "PAID" | "REJECTED";
  readonly transactionId: string | null;
  /** Why it was rejected. */
  readonly reason: string | null;
  readonly createdAt: number;
  readonly resolvedAt: number | null;
}

/** A page of an account's servers, newest first, including ended ones. */
export async function listAccountServers(
  { db }: Core,
  accountId: string,
  after?: string,
): Promise<readonly OperatorServer[]> {
  let page = db.read
    .selectFrom("servers")
    .select(operatorServerColumns)
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength);
  if (after !== undefined) {
    page = page.where(comesAfter("servers", "created_at", { accountId, after }));
  }
  return page.execute();
}

/** A page of an account's withdrawals, newest first. */
export async function listAccountWithdrawals(
  { db }: Core,
  accountId: string,
  after?: string,
): Promise<readonly WithdrawalRecord[]> {
  let page = db.read
    .selectFrom("withdrawals")
    .select(["id", "asset", "destination", "cents", "status", "transaction_id as transactionId"])
    .select(["created_at as createdAt", "resolved_at as resolvedAt"])
    .select((eb) =>
      eb
        .selectFrom("work")
        .select("note")
        .whereRef("work.withdrawal_id", "=", "withdrawals.id")
        .where("withdrawals.status", "=", "REJECTED")
        .as("reason"),
    )
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength);
  if (after !== undefined) {
    page = page.where(comesAfter("withdrawals", "created_at", { accountId, after }));
  }
  return page.execute();
}

/** Refuses an unknown account with `not_found`, so that it does not look like an empty list. */
export async function requireAccount({ db }: Core, accountId: string): Promise<Result<void>> {
  const account = await db.read
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return account === undefined ? refuse("not_found") : ok();
}
