import { usdText } from "@ironlease/contract";
import { lockServer, needsQuote, type LockedServer } from "#kernel/account-servers.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { setRequestedDdosMode } from "#kernel/server-states.ts";
import { cancelDdosWork } from "#kernel/work-queue/cancelled-work.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { DdosMode } from "#ports/schema.ts";

export type DdosAnswer =
  | { readonly status: "QUEUED"; readonly mode: DdosMode; readonly quoteRequired: boolean }
  | { readonly status: "UNCHANGED"; readonly mode: DdosMode; readonly quoteRequired: boolean };

/**
 * Requests a DDoS mode for a server that has not ended. The queued work and the server's requested mode change
 * together under the server's lock, so at most one request is open.
 */
export async function setDdosMode(
  core: Core,
  call: Keyed<CustomerCall>,
  { serverId, mode }: { readonly serverId: string; readonly mode: DdosMode },
): Promise<Result<RecordedAnswer<DdosAnswer>>> {
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const server = await lockServer(tx, call.accountId, serverId);
    if (!server.ok) return server;
    return once<DdosAnswer>(step, { serverId, mode }, async () => {
      const decision = decide(server.value, mode);
      if (decision.withdrawn !== null) await withdraw(step, server.value, decision.withdrawn);
      if (decision.queues) await queue(step, server.value, mode, decision.quoteRequired);

      const { quoteRequired } = decision;
      return decision.isInForce
        ? ok({
            status: 200,
            body: { status: "UNCHANGED", mode, quoteRequired },
            reference: serverId,
          })
        : ok({
            status: 202,
            body: { status: "QUEUED", mode, quoteRequired },
            reference: serverId,
          });
    });
  });
}

interface Decision {
  readonly isInForce: boolean;
  /** The open request that this one replaces. */
  readonly withdrawn: DdosMode | null;
  readonly queues: boolean;
  readonly quoteRequired: boolean;
}

function decide(server: LockedServer, mode: DdosMode): Decision {
  const { ddosMode, ddosRequestedMode } = server;
  const isInForce = mode === ddosMode;
  const isQueued = !isInForce && mode === ddosRequestedMode;
  return {
    isInForce,
    withdrawn: isQueued ? null : ddosRequestedMode,
    queues: !isInForce && !isQueued,
    quoteRequired: needsQuote(mode, server),
  };
}

/**
 * Also ends the operator's work, claimed or not, because its holder must no longer apply the mode. This is how a
 * customer declines a quote.
 */
async function withdraw(
  step: Step<CustomerCall>,
  { id: serverId, ddosOfferCents: quoteCents }: LockedServer,
  mode: DdosMode,
): Promise<void> {
  const own = { accountId: step.call.accountId, serverId };
  const note =
    quoteCents === null
      ? "The customer withdrew the request."
      : `The customer declined the quote of ${usdText(quoteCents)} USD.`;
  await cancelDdosWork(step, own, { outcome: "WITHDRAWN", note });
  await setRequestedDdosMode(step.tx, own, null);
  const detail = { mode, ...(quoteCents !== null && { quoteCents }) };
  await audit(step, "server.withdraw_ddos_mode", serverId, detail);
}

async function queue(
  step: Step<CustomerCall>,
  { id: serverId, machineId, hostname }: LockedServer,
  mode: DdosMode,
  quoteRequired: boolean,
): Promise<void> {
  const { tx, core } = step;
  const { accountId } = step.call;
  const ddosRequestId = core.ids.next("ddosRequest");
  await tx
    .insertInto("ddos_requests")
    .values({
      id: ddosRequestId,
      account_id: accountId,
      server_id: serverId,
      mode,
      quote_required: quoteRequired ? 1 : 0,
      created_at: core.clock.now(),
      quote_cents: null,
      charged_cents: null,
      short_told_at: null,
    })
    .execute();
  const detail = { mode, quoteRequired, machineId, hostname };
  await queueWork(step, [{ kind: "DDOS", accountId, serverId, ddosRequestId, detail }]);
  await setRequestedDdosMode(tx, { accountId, serverId }, mode);
  await audit(step, "server.request_ddos_mode", serverId, { mode, quoteRequired });
}
