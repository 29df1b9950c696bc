import type { Erase } from "#kernel/closed-account.ts";

/** Erases the SSH keys of orders. The orders stay, because they account for money. */
export const eraseOrderKeys: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("orders")
    .set({ ssh_public_key: null })
    .where("account_id", "=", accountId)
    .execute();
};
