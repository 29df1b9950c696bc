import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { limits, type Operation } from "@ironlease/contract";
import type { Logger } from "pino";
import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import type { RequestTally } from "#ports/metrics.ts";
import { ok, type Refusal } from "#ports/result.ts";
import { AdmittedCall } from "./admission/admitted-call.ts";
import { Answers } from "./answers/answers.ts";
import type { Authentication } from "./admission/authentication.ts";
import {
  backlog,
  bindConnections,
  boundOptions,
  isBelowBound,
  type ConnectionBounds,
} from "./wire/connection-bounds.ts";
import { addressIn, type ClientAddress } from "./wire/client-address.ts";
import type { CookieNames } from "./admission/cookies.ts";
import { Exchange } from "./wire/exchange.ts";
import { answerMalformedRequests } from "./wire/malformed-requests.ts";
import type { Origins } from "./admission/origins.ts";
import type { AnyPage } from "./pages.ts";
import { admit, admitPage, type Listener } from "./admission/precedence.ts";
import { newRequestId } from "./wire/request-ids.ts";
import { routeTable } from "./route-table.ts";
import { bindAll, type BoundAnswer, type Route } from "./routes.ts";
import { headersOfAll, type Hsts } from "./answers/security-headers.ts";
import { tlsRules } from "./wire/tls-rules.ts";

export interface ServerOptions {
  readonly core: Core;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly pages: readonly AnyPage[];
  readonly origins: Origins;
  readonly cookies: CookieNames;
  readonly authentication: Authentication;
  /** Who is at the other end: the peer, or what a trusted proxy says of it. */
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
  readonly requests: RequestTally;
  /** Undefined behind a proxy that ends TLS. */
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  readonly bounds: ConnectionBounds;
  readonly hsts: Hsts;
}

export interface ListenerServer {
  readonly server: Server;
  listen(host: string, port: number): Promise<void>;
  /** Accepts nothing more, and resolves when every accepted request has its answer. */
  drain(): Promise<void>;
}

/** A listener: the operation table bound to its handlers, behind the precedence list. */
export function createServer(options: ServerOptions): ListenerServer {
  const { log, requests, origins, cookies, authentication } = options;
  const table = routeTable(bindAll(options.operations, options.handlers, options.pages));
  const listener: Listener = { origins, cookies, authentication };
  const headers = headersOfAll(options.hsts);
  const answers = new Answers({
    log,
    requests,
    headers,
    hasKeys: authentication.byKey !== undefined,
    addressOf: (raw) => addressIn(raw, options.clientAddress),
  });

  const serve = async (exchange: Exchange): Promise<void> => {
    requests.began();
    try {
      await respond(exchange, listener, answers, options);
    } catch (error) {
      // The client has gone in the middle of its request: nobody is left to tell.
      if (exchange.raw.destroyed && !exchange.raw.complete) return;
      answers.refuse(exchange, refusalOf(error, exchange.requestId, log));
    } finally {
      requests.ended();
    }
  };
  const server = createNodeServer(options, (raw, response) => {
    if (isBelowBound(raw, response)) {
      void serve(new Exchange(raw, response, newRequestId(), table));
    }
  });
  answerMalformedRequests(server, headers, (status) => requests.answered(undefined, status, 0));
  bindConnections(server, options.bounds);

  return {
    server,
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host, backlog }, resolve);
      }),
    drain: () =>
      new Promise((resolve) => {
        answers.isDraining = true;
        server.close(() => resolve());
      }),
  };
}

async function respond(
  exchange: Exchange,
  listener: Listener,
  answers: Answers,
  options: ServerOptions,
): Promise<void> {
  const { entry } = exchange;
  if (entry?.kind === "page") {
    const refusal = admitPage(exchange, listener);
    if (refusal !== undefined) {
      answers.refuse(exchange, refusal);
      return;
    }
    const page = "answer" in entry ? await entry.answer(exchange.origins[0] ?? "") : ok(entry);
    if (page.ok) answers.sendPage(exchange, page.value);
    else answers.refuse(exchange, page.refusal);
    return;
  }
  const refusal = await admit(exchange, listener);
  if (refusal !== undefined) {
    answers.refuse(exchange, refusal);
    return;
  }
  await answerOperation(exchange, exchange.route, answers, options);
}

async function answerOperation(
  exchange: Exchange,
  route: Route,
  answers: Answers,
  options: ServerOptions,
): Promise<void> {
  const { handle, serializers } = route;
  const result = await handle(new AdmittedCall(exchange, route, options));
  if (!result.ok) {
    answers.refuse(exchange, result.refusal);
    return;
  }
  const { status, cookies = [], replayed, etag } = result.value;
  const more: string[] = [];
  for (const line of cookies) more.push("set-cookie", line);
  if (replayed === true) more.push("idempotent-replayed", "true");
  if (etag !== undefined) more.push("etag", etag);
  answers.send(exchange, status, textOf(result.value, serializers), more);
}

const keptTexts = new WeakMap<object, string>();

function textOf(
  { status, body, isKept }: BoundAnswer,
  serializers: Route["serializers"],
): string | undefined {
  const write = serializers.get(status);
  if (write === undefined || isKept !== true || !isObject(body)) return write?.(body);
  let text = keptTexts.get(body);
  if (text === undefined) keptTexts.set(body, (text = write(body)));
  return text;
}

function isObject(body: unknown): body is object {
  return typeof body === "object" && body !== null;
}

function createNodeServer(
  { tls, bounds }: ServerOptions,
  onRequest: (raw: IncomingMessage, response: ServerResponse) => void,
): Server {
  const http = {
    // Both are answered by us, in our shape; Node's own answers have no body.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    // The parser counts the address among the headers. Far above ours, so that each limit is told
    // apart by the precedence list; what goes beyond even this is called headers.
    maxHeaderSize: 16 * limits.headerBytes,
    // A request without a body has nothing to stream, and most have none.
    optimizeEmptyRequests: true,
    ...boundOptions(bounds),
  };
  if (tls === undefined) return createHttpServer(http, onRequest);
  return createHttpsServer({ ...http, ...tls, ...tlsRules }, onRequest);
}

/** What was thrown is a bug or an outage: the log gets all of it, the client a plain sentence. */
function refusalOf(error: unknown, requestId: string, log: Logger): Refusal {
  if (error instanceof DatabaseUnavailable) {
    // An outage is in the log once, and not with every request that it fails.
    log.debug({ requestId, reason: error.message }, "the database does not answer");
    return { code: "service_unavailable" };
  }
  log.error({ requestId, err: error }, "a request failed");
  return { code: "internal_error" };
}
