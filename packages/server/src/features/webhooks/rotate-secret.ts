import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { sql } from "kysely";
import type { NewWebhook } from "./create-webhook.ts";
import { newWebhookSecret } from "./signature.ts";
import { secretContext, selectWebhooks, webhookRecord } from "./webhook-record.ts";

/** How long messages are signed with the replaced secret as well. */
const previousSecretMs = 24 * 3_600_000;

/** Replaces the secret. The one before it stays valid for a day, and any older one ends. */
export async function rotateSecret(
  core: Core,
  call: CustomerCall,
  webhookId: string,
): Promise<Result<NewWebhook>> {
  const { accountId } = call;
  const secret = newWebhookSecret(core.random);
  const sealed = await core.sealing.seal(secret, secretContext(webhookId));
  return core.db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("webhooks")
      .set({
        secret: sealed,
        previous_secret: sql`secret`,
        previous_until: core.clock.now() + previousSecretMs,
      })
      .where("id", "=", webhookId)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return refuse("not_found");
    await audit({ tx, core, call }, "webhook.rotate_secret", webhookId);
    const row = await selectWebhooks(tx, accountId)
      .where("webhooks.id", "=", webhookId)
      .executeTakeFirstOrThrow();
    return ok({ ...webhookRecord(row), secret });
  });
}
