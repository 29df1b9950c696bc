import { usdFromCents, type AnswerOf, type Operations } from "@ironlease/contract";
import { acceptQuote } from "#features/servers/accept-quote.ts";
import { cancelServer } from "#features/servers/cancel-server.ts";
import { requestAction } from "#features/servers/request-action.ts";
import { setDdosMode } from "#features/servers/set-ddos-mode.ts";
import { listServers } from "#features/servers/list-servers.ts";
import { readServer, type ServerDetail } from "#features/servers/read-server.ts";
import type { ServerRecord } from "#features/servers/server-record.ts";
import { setLabel } from "#features/servers/set-label.ts";
import { setRenewal } from "#features/servers/set-renewal.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { assignmentOnWire } from "./network.ts";

type ServerOnWire = AnswerOf<Operations["setRenewal"]>["body"];
type Servers =
  | "listServers"
  | "readServer"
  | "requestAction"
  | "setDdosMode"
  | "acceptQuote"
  | "setRenewal"
  | "setLabel"
  | "cancelServer";

export function serverHandlers(core: Core): Handlers<Servers> {
  return {
    listServers: async ({ account }) => {
      const servers = await listServers(core, account.accountId);
      return ok({ status: 200, body: { servers: servers.map(serverOnWire) } });
    },
    readServer: async ({ account, parameters }) => {
      const result = await readServer(core, account.accountId, parameters.id);
      if (!result.ok) return result;
      const { record, assignments, ddos } = result.value;
      return ok({
        status: 200,
        body: {
          ...serverOnWire(record),
          assignments: assignments.map(assignmentOnWire(core)),
          ddos: { ...ddos, quote: quoteOnWire(ddos.quote) },
        },
      });
    },
    requestAction: async ({ core, caller, parameters, body }) => {
      const result = await requestAction(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ ...result.value, status: 202 }) : result;
    },
    setDdosMode: async ({ core, caller, parameters, body }) => {
      const result = await setDdosMode(core, caller, { ...body, serverId: parameters.id });
      if (!result.ok) return result;
      const { body: answer, replayed } = result.value;
      return answer.status === "QUEUED"
        ? ok({ status: 202, body: answer, replayed })
        : ok({ status: 200, body: answer, replayed });
    },
    acceptQuote: async ({ core, caller, parameters, body }) => {
      const result = await acceptQuote(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ ...result.value, status: 202 }) : result;
    },
    cancelServer: async ({ core, caller, parameters }) => {
      const result = await cancelServer(core, caller, parameters.id);
      return result.ok ? ok({ ...result.value, status: 200 }) : result;
    },
    setRenewal: async ({ core, caller, parameters, body }) => {
      const result = await setRenewal(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ status: 200, body: serverOnWire(result.value) }) : result;
    },
    setLabel: async ({ core, caller, parameters, body }) => {
      const result = await setLabel(core, caller, { ...body, serverId: parameters.id });
      return result.ok ? ok({ status: 200, body: serverOnWire(result.value) }) : result;
    },
  };
}

function quoteOnWire(quote: ServerDetail["ddos"]["quote"]) {
  if (quote === null) return null;
  const { cents, offeredAt, expiresAt } = quote;
  return {
    usd: usdFromCents(cents),
    offeredAt: isoTime(offeredAt),
    expiresAt: isoTime(expiresAt),
  };
}

/** Written field by field, without a spread, because the server list is a hot path. */
export function serverOnWire(record: ServerRecord): ServerOnWire {
  const server = {
    id: record.id,
    orderId: record.orderId,
    configId: record.configId,
    osId: record.osId,
    hostname: record.hostname,
    state: record.state,
    region: record.region,
    term: record.term,
    priceUsd: usdFromCents(record.priceCents),
    ddosUsd: usdFromCents(record.ddosCents),
    paidThrough: isoTimeOrNull(record.paidThrough),
    graceUntil: isoTimeOrNull(record.graceUntil),
    autoRenew: record.autoRenew === 1,
    ddosMode: record.ddosMode,
    label: record.label,
    createdAt: isoTime(record.createdAt),
  };
  const { suspendedAt, suspensionReason } = record;
  if (suspendedAt === null) return server;
  const suspension = { reason: suspensionReason ?? "", since: isoTime(suspendedAt) };
  return { ...server, suspension };
}
