import type { Erase } from "#kernel/closed-account.ts";

export const eraseLowBalance: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("low_balances").where("account_id", "=", accountId).execute();
};
