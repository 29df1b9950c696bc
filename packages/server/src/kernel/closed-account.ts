import { lockAccount } from "./access/accounts.ts";
import { ok, refuse } from "./result.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { TxScope } from "./call.ts";

/** Replaces texts that a customer or an operator wrote. */
export const erasedText = "(erased)";

/** Erases what one noun stores about an account that closes. */
export type Erase = (scope: TxScope, accountId: string) => Promise<void>;

/** Locks an account for an operator's change, so that the account cannot close meanwhile. Refuses a closed one. */
export async function lockOpenAccount(tx: Tx, accountId: string): Promise<Result<void>> {
  await lockAccount(tx, accountId);
  const account = await tx
    .selectFrom("accounts")
    .select("closed_at as closedAt")
    .where("id", "=", accountId)
    .executeTakeFirst();
  if (account === undefined) return refuse("not_found");
  if (account.closedAt === null) return ok();
  return refuse("conflict", { message: "This account is closed. It cannot be changed." });
}
