import { lockServer, needsQuote, type LockedServer } from "#kernel/account-servers.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { once, type Intent, type RecordedAnswer } from "#kernel/idempotency.ts";
import { setRequestedDdosMode } from "#kernel/server-states.ts";
import { queueWork, withdrawDdosWork } from "#kernel/work-queue.ts";
import type { Tx } from "#ports/db.ts";
import { ok, type Result } from "#ports/result.ts";
import type { DdosMode } from "#ports/schema.ts";

export type DdosAnswer =
  | { readonly status: "QUEUED"; readonly mode: DdosMode; readonly quoteRequired: boolean }
  | { readonly status: "UNCHANGED"; readonly mode: DdosMode; readonly quoteRequired: boolean };

/**
 * Asks for a DDoS mode, in any state of a living server. What is queued and what the server says was
 * requested change together, under the server's lock, so there is never more than one request open.
 */
export async function setDdosMode(
  core: Core,
  client: Client,
  accountId: string,
  intent: Intent,
  serverId: string,
  { mode }: { readonly mode: DdosMode },
): Promise<Result<RecordedAnswer<DdosAnswer>>> {
  return core.db.write(async (tx) => {
    const server = await lockServer(tx, accountId, serverId);
    if (!server.ok) return server;
    return once<DdosAnswer>(tx, core, accountId, intent, { serverId, mode }, async () => {
      const decision = decide(server.value, mode);
      const deed = { tx, core, client, accountId, server: server.value };
      if (decision.withdrawn !== null) await withdraw(deed, decision.withdrawn);
      if (decision.queues) await queue(deed, mode, decision.quoteRequired);

      const { quoteRequired } = decision;
      return decision.isInForce
        ? ok({ status: 200, body: { status: "UNCHANGED", mode, quoteRequired } })
        : ok({ status: 202, body: { status: "QUEUED", mode, quoteRequired } });
    });
  });
}

interface Decision {
  readonly isInForce: boolean;
  /** The mode whose request ends because another one is wanted now. */
  readonly withdrawn: DdosMode | null;
  readonly queues: boolean;
  readonly quoteRequired: boolean;
}

function decide(server: LockedServer, mode: DdosMode): Decision {
  const { ddosMode, ddosRequestedMode, ddosQuoteAccepted } = server;
  const isInForce = mode === ddosMode;
  const isQueued = !isInForce && mode === ddosRequestedMode;
  return {
    isInForce,
    withdrawn: isQueued ? null : ddosRequestedMode,
    queues: !isInForce && !isQueued,
    quoteRequired: needsQuote(mode, ddosQuoteAccepted),
  };
}

interface Deed {
  readonly tx: Tx;
  readonly core: Core;
  readonly client: Client;
  readonly accountId: string;
  readonly server: LockedServer;
}

/** Ends the operator's work too, claimed or not: whoever holds it must not switch anything any more. */
async function withdraw(deed: Deed, mode: DdosMode): Promise<void> {
  const { tx, core, accountId, server } = deed;
  const own = { accountId, serverId: server.id };
  await withdrawDdosWork({ tx, core }, own);
  await setRequestedDdosMode(tx, own, null);
  await record(deed, "server.withdraw_ddos_mode", { mode });
}

async function queue(deed: Deed, mode: DdosMode, quoteRequired: boolean): Promise<void> {
  const { tx, core, accountId, server } = deed;
  const ddosRequestId = core.ids.next("ddosRequest");
  const serverId = server.id;
  await tx
    .insertInto("ddos_requests")
    .values({
      id: ddosRequestId,
      account_id: accountId,
      server_id: serverId,
      mode,
      quote_required: quoteRequired ? 1 : 0,
      created_at: core.clock.now(),
    })
    .execute();
  const { machineId, hostname } = server;
  const detail = { mode, quoteRequired, machineId, hostname };
  await queueWork({ tx, core }, [{ kind: "DDOS", accountId, serverId, ddosRequestId, detail }]);
  await setRequestedDdosMode(tx, { accountId, serverId }, mode);
  await record(deed, "server.request_ddos_mode", { mode, quoteRequired });
}

async function record(
  { tx, core, client, accountId, server }: Deed,
  action: string,
  detail: Readonly<Record<string, string | boolean>>,
): Promise<void> {
  const { ipAddress } = client;
  await audit(tx, core, { actor: accountId, action, subject: server.id, detail, ipAddress });
}
