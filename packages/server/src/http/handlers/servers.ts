import { usdFromCents, type AnswerOf, type Operations } from "@ironlease/contract";
import { acceptQuote } from "#features/servers/accept-quote.ts";
import { cancelServer } from "#features/servers/cancel-server.ts";
import { requestAction } from "#features/servers/request-action.ts";
import { setDdosMode } from "#features/servers/set-ddos-mode.ts";
import { countServers } from "#features/servers/count-servers.ts";
import { listPastServers } from "#features/servers/list-past-servers.ts";
import {
  listServerPage,
  type ServerFilter,
  type ServerPage,
} from "#features/servers/list-server-page.ts";
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
  | "listPastServers"
  | "countServers"
  | "readServer"
  | "requestAction"
  | "setDdosMode"
  | "acceptQuote"
  | "setRenewal"
  | "setLabel"
  | "cancelServer";

export function serverHandlers(core: Core): Handlers<Servers> {
  return {
    listServers: async ({ account: { accountId }, query }) => {
      if (isWholeList(query)) {
        const servers = await listServers(core, accountId);
        return ok({ status: 200, body: { servers: servers.map(serverOnWire) } });
      }
      const page = await listServerPage(core, accountId, query);
      return ok({ status: 200, body: { servers: pageOnWire(core, page) } });
    },
    listPastServers: async ({ account }) => {
      const past = await listPastServers(core, account.accountId);
      const pastServers = past.map(({ endedAt, ...server }) => ({
        ...serverOnWire(server),
        endedAt: isoTime(endedAt),
      }));
      return ok({ status: 200, body: { pastServers } });
    },
    countServers: async ({ account }) => {
      const serverCounts = await countServers(core, account.accountId);
      return ok({ status: 200, body: { serverCounts } });
    },
    readServer: async ({ account, parameters }) => {
      const result = await readServer(core, account.accountId, parameters.id);
      if (!result.ok) return result;
      const { record, assignments, ddos, thread = null } = result.value;
      return ok({
        status: 200,
        body: {
          ...serverOnWire(record),
          assignments: assignments.map(assignmentOnWire(core)),
          ddos: { ...ddos, quote: quoteOnWire(ddos.quote) },
          // No scope covers messages, so an API key learns neither a thread's id nor its unread count.
          thread: account.scope === undefined ? thread : null,
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

/** Without parameters the list is the specification's: every current server. */
export function isWholeList(query: ServerFilter): boolean {
  return Object.keys(query).length === 0;
}

function pageOnWire(core: Core, { servers, assignments }: ServerPage) {
  if (assignments === undefined) return servers.map(serverOnWire);
  const onWire = assignmentOnWire(core);
  return servers.map((server) => ({
    ...serverOnWire(server),
    assignments: (assignments.get(server.id) ?? []).map(onWire),
  }));
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
