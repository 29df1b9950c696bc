import { audit } from "#kernel/audit.ts";
import type { Erase } from "#kernel/closed-account.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { removeSubscriber } from "#kernel/outbox/subscribers.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** Removes one of the account's own endpoints, with its log. */
export async function deleteWebhook(
  core: Core,
  call: CustomerCall,
  webhookId: string,
): Promise<Result<void>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("webhooks")
      .where("id", "=", webhookId)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return refuse("not_found");
    await removeSubscriber(tx, { id: webhookId, accountId });
    await audit({ tx, core, call }, "webhook.delete", webhookId);
    return ok();
  });
}

/** Deletes every endpoint of an account that closes. Their subscribers go with `eraseSubscribers`. */
export const eraseWebhooks: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("webhooks").where("account_id", "=", accountId).execute();
};
