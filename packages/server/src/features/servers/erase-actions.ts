import type { Erase } from "#kernel/closed-account.ts";

/** Erases the URLs of images. */
export const eraseImageUrls: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("actions")
    .set({ iso_url: null })
    .where("account_id", "=", accountId)
    .execute();
};
