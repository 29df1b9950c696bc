import { sql } from "kysely";

/**
 * Both counts only grow, so their sum is another one when either has: as long as it stays, an account's
 * ledger and lists say the same. It takes a look at `balances`.
 */
export const listsVersion = sql<number>`balances.entries + balances.list_changes`;
