import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { count, id, time, usd, usdInRequest, words } from "../schemas.ts";
import {
  ddosModes,
  listedServer,
  pastServer,
  serverCount,
  serverFields,
  serverFilter,
  serverRecord,
} from "../server-fields.ts";
import { assignment } from "./network.ts";

export const serverActions = [
  "reboot",
  "power_off",
  "reinstall",
  "mount_iso",
  "kvm",
  "rotate_root_password",
] as const;

/** The states in which a server accepts hardware actions. */
export const actionStates = ["ACTIVE", "GRACE"] as const;

const quote = Type.Object(
  {
    usd: { ...usd, description: "Per term, in addition to the price." },
    offeredAt: time,
    expiresAt: { ...time, description: "14 days after the offer. The request is then withdrawn." },
  },
  {
    title: "DdosQuote",
    examples: [
      {
        usd: 50,
        offeredAt: "2026-11-15T09:30:00.000Z",
        expiresAt: "2026-11-29T09:30:00.000Z",
      },
    ],
  },
);

const ddosProtection = Type.Object(
  {
    mode: words(ddosModes),
    requestedMode: Type.Unsafe<(typeof ddosModes)[number] | null>({
      type: ["string", "null"],
      enum: [...ddosModes, null],
    }),
    quoteRequired: Type.Boolean({
      description: "False once you have accepted the quote.",
    }),
    quote: Type.Union([quote, Type.Null()], {
      description:
        "The operator's offer for ADVANCED, or null. It stays until the mode is applied or the request is withdrawn.",
    }),
  },
  { title: "DdosProtection" },
);

const serverThread = Type.Object(
  {
    id: id("thread"),
    unread: count("Messages to you since you last marked the thread as read."),
  },
  { title: "ServerThread", examples: [{ id: "thr_01kfxq8n3ve7wt5c2m9hzr4d6y", unread: 1 }] },
);

const serverDetail = Type.Object(
  {
    ...serverFields,
    assignments: Type.Array(assignment),
    ddos: ddosProtection,
    thread: Type.Union([serverThread, Type.Null()], {
      description:
        "The server's own thread. Null before its first message, and for API keys, because no scope covers messages.",
    }),
  },
  { title: "ServerDetail" },
);

const ofServers = { listener: "account", tag: "Servers" } as const;
const change = { access: { kind: "session", scopes: [] } } as const;
const read = {
  access: { kind: "session", scopes: ["read", "servers"] },
  idempotency: "none",
} as const;

const sessionRead = { access: { kind: "session", scopes: [] }, idempotency: "none" } as const;

const ddosAnswer = <const Status extends string>(status: Status) =>
  Type.Object({ status: words([status]), mode: words(ddosModes), quoteRequired: Type.Boolean() });

const cancelledExample = { serverId: "srv_01kfxq8n3ve7wt5c2m9hzr4d6y", refundUsd: 49.99 };

export const servers = {
  listServers: operation({
    ...ofServers,
    ...read,
    method: "GET",
    path: "/api/v1/servers",
    summary: "List servers",
    description:
      "All except terminated servers, newest first. The parameters are an extension: with any of them the response is one page of the servers that match, 100 unless `limit` says otherwise.",
    extension: false,
    query: serverFilter,
    answers: { 200: Type.Object({ servers: Type.Array(listedServer) }) },
    errors: [],
  }),
  listPastServers: operation({
    ...ofServers,
    ...sessionRead,
    method: "GET",
    path: "/api/v1/past-servers",
    summary: "List terminated servers",
    description: `The latest ${limits.listLength}, by the time they ended.`,
    extension: true,
    answers: { 200: Type.Object({ pastServers: Type.Array(pastServer) }) },
    errors: [],
  }),
  countServers: operation({
    ...ofServers,
    ...sessionRead,
    method: "GET",
    path: "/api/v1/server-counts",
    summary: "Count servers",
    description: "All except terminated servers, by state and region.",
    extension: true,
    answers: { 200: Type.Object({ serverCounts: Type.Array(serverCount) }) },
    errors: [],
  }),
  readServer: operation({
    ...ofServers,
    ...read,
    method: "GET",
    path: "/api/v1/servers/{id}",
    summary: "Read a server",
    extension: false,
    answers: { 200: serverDetail },
    errors: [],
  }),
  requestAction: operation({
    ...ofServers,
    ...change,
    method: "POST",
    path: "/api/v1/servers/{id}/actions",
    summary: "Request a hardware action",
    description:
      "Queues the request for an operator. QUEUED does not mean that the action has been carried out. The response to `kvm` contains no address, and the response to `rotate_root_password` no password. Too many open actions for one server or account return `limit_reached`.",
    extension: false,
    idempotency: "replay",
    body: Type.Object(
      {
        action: words(serverActions),
        isoUrl: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: limits.isoUrlLength,
            description: "Only with `mount_iso`: a public HTTPS URL without credentials.",
            message: `must be a public HTTPS URL of at most ${limits.isoUrlLength} characters`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: {
      202: Type.Object({ id: id("action"), status: words(["QUEUED"]) }, { title: "ServerAction" }),
    },
    errors: ["server_not_ready", "limit_reached"],
  }),
  setDdosMode: operation({
    ...ofServers,
    ...change,
    method: "PUT",
    path: "/api/v1/servers/{id}/ddos",
    summary: "Set the DDoS mode",
    description:
      "Queues the change, or returns UNCHANGED when the mode is already active. ADVANCED requires a quote from the operator until you have accepted one. Requesting BASELINE declines a quote. When BASELINE is active again, renewals no longer include the quote; nothing is refunded.",
    extension: false,
    idempotency: "replay",
    body: Type.Object({ mode: words(ddosModes) }, { additionalProperties: false }),
    answers: { 200: ddosAnswer("UNCHANGED"), 202: ddosAnswer("QUEUED") },
    errors: [],
  }),
  acceptQuote: operation({
    ...ofServers,
    ...change,
    method: "POST",
    path: "/api/v1/servers/{id}/ddos/quote",
    summary: "Accept the quote for DDoS mode ADVANCED",
    description:
      "Accepts exactly this price per term, and queues the change again. When an operator applies ADVANCED, the rest of the current term is charged, and every renewal includes the price until BASELINE is active again. Another price, or one that has expired, returns `quote_changed`.",
    extension: true,
    idempotency: "replay",
    body: Type.Object(
      { usd: usdInRequest("must be an amount in USD, 0 or more, with at most two decimals") },
      { additionalProperties: false, examples: [{ usd: 50 }] },
    ),
    answers: { 202: ddosAnswer("QUEUED") },
    errors: ["quote_changed"],
  }),
  setRenewal: operation({
    ...ofServers,
    ...change,
    method: "PUT",
    path: "/api/v1/servers/{id}/renewal",
    summary: "Turn automatic renewal on or off",
    extension: true,
    idempotency: "none",
    body: Type.Object(
      { autoRenew: Type.Boolean({ message: "must be true or false" }) },
      { additionalProperties: false },
    ),
    answers: { 200: serverRecord },
    errors: [],
  }),
  setLabel: operation({
    ...ofServers,
    ...change,
    method: "PUT",
    path: "/api/v1/servers/{id}/label",
    summary: "Name a server",
    description:
      "Your own name for the server. It changes nothing on the machine. Operators see it too. An empty label removes the name.",
    extension: true,
    idempotency: "none",
    body: Type.Object(
      {
        label: Type.String({
          maxLength: limits.serverLabelLength,
          examples: ["Shop database"],
          message: `must be at most ${limits.serverLabelLength} characters`,
        }),
      },
      { additionalProperties: false },
    ),
    answers: { 200: serverRecord },
    errors: [],
  }),
  cancelServer: operation({
    ...ofServers,
    ...change,
    method: "POST",
    path: "/api/v1/servers/{id}/cancel",
    summary: "Cancel a server before delivery",
    description:
      "Possible while the server is PROVISIONING and no operator has started to deliver it. Its share of the order is refunded, and the server ends.",
    extension: true,
    idempotency: "replay",
    answers: {
      200: Type.Object(
        { serverId: id("server"), refundUsd: usd },
        { title: "CancelledServer", examples: [cancelledExample] },
      ),
    },
    errors: ["server_not_ready", "conflict"],
  }),
};
