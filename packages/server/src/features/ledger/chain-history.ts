import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { chainNext } from "#kernel/ledger.ts";
import { prepared } from "#kernel/sql/prepared.ts";

/** Accounts with entries that a version without hashes has written. */
const unchainedAccounts = prepared(["after"], (db, { after }: { after: string }) =>
  db
    .selectFrom("balances")
    .select("account_id as accountId")
    .where("account_id", ">", after)
    .where(sql<boolean>`chained_entries < entries`)
    .orderBy("account_id")
    .limit(limits.listLength),
);

/**
 * Chains the entries that earlier versions have written, of one account after the other. A step is one short
 * transaction, so customers can go on ordering, and a stopped run continues where it was.
 */
export async function chainHistory(core: Core, stop?: AbortSignal): Promise<{ steps: number }> {
  const isStopped = () => stop?.aborted === true;
  let steps = 0;
  let after = "";
  for (;;) {
    const accounts = await unchainedAccounts(core.db.read, { after });
    for (const { accountId } of accounts) {
      let remains = true;
      while (remains && !isStopped()) {
        const pause = core.pacer?.();
        remains = await chainNext(core.db, accountId);
        steps += 1;
        await pause?.();
      }
      after = accountId;
    }
    if (accounts.length < limits.listLength || isStopped()) return { steps };
  }
}
