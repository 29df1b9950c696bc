import { audit } from "#kernel/audit.ts";
import { systemCall, type TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { ClaimedSubscriber } from "#kernel/outbox/claim-subscribers.ts";
import { disableSubscriber, recordFailure, recordSuccess } from "#kernel/outbox/deliveries.ts";
import { ok } from "#kernel/result.ts";
import { postMessage, threadOf, webhooksTopic } from "#kernel/threads.ts";

/** A webhook whose every attempt fails for so long is disabled. */
const disableAfterMs = 5 * 24 * 3_600_000;

export interface Attempted {
  readonly id: string;
  readonly firstDueAt: number;
  readonly status: number | null;
}

export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Records attempts in the order in which they ended. After failures, returns for how long every attempt has failed. */
export async function recordAttempts(
  core: Core,
  { id: subscriberId, accountId }: ClaimedSubscriber,
  attempts: readonly Attempted[],
): Promise<number | undefined> {
  if (attempts.length === 0) return undefined;
  const jitter = core.random.bytes(2).readUInt16BE() / 0xffff;
  const result = await core.db.write(async (tx) => {
    const scope = { tx, core };
    let failingForMs: number | undefined;
    for (const { id: deliveryId, firstDueAt, status } of attempts) {
      const attempt = { subscriberId, deliveryId, firstDueAt, status };
      if (isAccepted(status)) await recordSuccess(scope, attempt);
      else {
        const { failingSince } = await recordFailure(scope, attempt, jitter);
        failingForMs = core.clock.now() - failingSince;
      }
    }
    if (failingForMs !== undefined && failingForMs >= disableAfterMs) {
      await disable(scope, { webhookId: subscriberId, accountId });
    }
    return ok(failingForMs);
  });
  if (!result.ok) throw new Error("recording attempts never refuses");
  return result.value;
}

/** The customer reads about it in a thread of their webhooks. */
async function disable(
  scope: TxScope & { readonly core: Core },
  { webhookId, accountId }: { readonly webhookId: string; readonly accountId: string },
): Promise<void> {
  const { tx } = scope;
  const webhook = await tx
    .selectFrom("webhooks")
    .select("url")
    .where("id", "=", webhookId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (webhook === undefined || !(await disableSubscriber(scope, webhookId))) return;
  const { host } = new URL(webhook.url);
  await audit({ ...scope, call: systemCall }, "webhook.disable", webhookId, { accountId, host });
  const threadId = await threadOf(scope, webhooksTopic(accountId), "OPERATOR");
  const text = `The webhook ${webhookId} at ${host} has been disabled: every delivery of the last five days failed. Check the receiver, then delete this webhook and create a new one.`;
  await postMessage(scope, { threadId, accountId, text }, { sender: "SERVICE" });
}
