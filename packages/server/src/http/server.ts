import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Server as TlsServer } from "node:tls";
import { limits, type Operation } from "@ironlease/contract";
import { withTrace } from "#kernel/concurrency/trace.ts";
import type { Core } from "#kernel/core.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import type { Log } from "#ports/log.ts";
import type { RequestTally } from "#ports/metrics.ts";
import type { Refusal } from "#ports/result.ts";
import { AdmittedCall } from "./admission/admitted-call.ts";
import { Answers } from "./answers/answers.ts";
import { refused, type Outcome } from "./answers/outcome.ts";
import type { Authentication } from "./admission/authentication.ts";
import {
  admitPipelined,
  backlog,
  limitConnections,
  timeoutOptions,
  type ConnectionLimits,
} from "./wire/connection-limits.ts";
import { addressIn, type ClientAddress } from "./wire/client-address.ts";
import type { CookieNames } from "./admission/cookies.ts";
import { Exchange } from "./wire/exchange.ts";
import { answerMalformedRequests } from "./wire/malformed-requests.ts";
import type { Origins } from "./admission/origins.ts";
import { isNavigation, type AnyPage } from "./pages.ts";
import { admit, admitPage, type Listener } from "./admission/precedence.ts";
import { newRequestId } from "./wire/request-ids.ts";
import { routeTable } from "./route-table.ts";
import type { BoundHandler } from "./bind.ts";
import { bindAll, type WrapRoute } from "./routes.ts";
import { commonHeaders, type Hsts } from "./answers/security-headers.ts";
import { tlsRules } from "./wire/tls-rules.ts";

export interface ServerOptions {
  readonly core: Core;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly handlers: Readonly<Record<string, BoundHandler>>;
  readonly pages: readonly AnyPage[];
  readonly origins: Origins;
  readonly cookies: CookieNames;
  readonly authentication: Authentication;
  /** The client's address: the peer's, or the one that a trusted proxy reports. */
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly requests: RequestTally;
  /** Undefined behind a proxy that terminates TLS. */
  readonly tls: Certificate | undefined;
  readonly connectionLimits: ConnectionLimits;
  readonly hsts: Hsts;
  /** Wraps every route. Without it, every request calls its handler. */
  readonly responseCache?: WrapRoute | undefined;
}

/** In PEM. */
export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface ListenerServer {
  readonly server: Server;
  /** New connections get this certificate. Open ones stay open. Without TLS, it does nothing. */
  readonly replaceCertificate: (tls: Certificate) => void;
  listen(host: string, port: number): Promise<void>;
  /** Stops accepting connections. Resolves when every accepted request is answered. */
  drain(): Promise<void>;
}

/** A listener: the operation table bound to its handlers, behind the precedence list. */
export function createServer(options: ServerOptions): ListenerServer {
  const { log, requests, origins, cookies, authentication } = options;
  const { operations, handlers, pages, responseCache } = options;
  const table = routeTable(bindAll(operations, handlers, pages, responseCache));
  const listener: Listener = { origins, cookies, authentication };
  const fallback = pages.find((page) => "isFallback" in page);
  const headers = commonHeaders(options.hsts);
  const answers = new Answers({
    log,
    requests,
    headers,
    acceptsApiKeys: authentication.byKey !== undefined,
    addressOf: (raw) => addressIn(raw, options.clientAddress),
  });

  const serve = async (exchange: Exchange): Promise<void> => {
    requests.began();
    try {
      const outcome = await outcomeOf(exchange, listener, options, fallback);
      if (outcome !== undefined) await answers.send(exchange, outcome);
    } catch (error) {
      // A client that closes the connection in the middle of a streamed answer is no failure of ours.
      if (!exchange.raw.socket.destroyed) logFailure(error, exchange, log);
      exchange.response.destroy();
    } finally {
      requests.ended();
    }
  };
  const server = createNodeServer(options, (raw, response) => {
    if (admitPipelined(raw, response)) {
      const exchange = new Exchange(raw, response, newRequestId(), table);
      void withTrace(exchange.traceparent, () => serve(exchange));
    }
  });
  answerMalformedRequests(server, headers, (status) => requests.answered(undefined, status, 0));
  limitConnections(server, options.connectionLimits);

  return {
    server,
    replaceCertificate: (tls) => {
      if (server instanceof TlsServer) server.setSecureContext(secureContext(tls));
    },
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

/** Undefined if the client disconnected in the middle of its request. */
async function outcomeOf(
  exchange: Exchange,
  listener: Listener,
  options: ServerOptions,
  fallback: AnyPage | undefined,
): Promise<Outcome | undefined> {
  try {
    if (exchange.entry?.kind === "page") {
      return await showPage(exchange, exchange.entry, listener);
    }
    if (exchange.match === undefined && fallback !== undefined && isNavigation(exchange.raw)) {
      return await showPage(exchange, fallback, listener, 404);
    }
    const refusal = await admit(exchange, listener);
    if (refusal !== undefined) return refused(refusal);
    const { route } = exchange;
    return await route.respond(new AdmittedCall(exchange, route, options));
  } catch (error) {
    if (exchange.raw.destroyed && !exchange.raw.complete) return undefined;
    return refused(logFailure(error, exchange, options.log));
  }
}

async function showPage(
  exchange: Exchange,
  page: AnyPage,
  listener: Listener,
  status: 200 | 404 = 200,
): Promise<Outcome> {
  const refusal = admitPage(exchange, listener);
  if (refusal !== undefined) return refused(refusal);
  if (!("answer" in page)) return { kind: "page", status, page };
  const result = await page.answer(exchange.origins[0] ?? "");
  return result.ok ? { kind: "page", status, page: result.value } : refused(result.refusal);
}

function createNodeServer(
  { tls, connectionLimits }: ServerOptions,
  onRequest: (raw: IncomingMessage, response: ServerResponse) => void,
): Server {
  const http = {
    // The precedence list answers these. Node's own answers have no body.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    // Node's parser counts the URL as part of the headers. This limit is far above ours, so that the
    // precedence list can tell a long URL from large headers. Beyond it, the answer is headers_too_large.
    maxHeaderSize: 16 * limits.headerBytes,
    // Most requests have no body to stream.
    optimizeEmptyRequests: true,
    ...timeoutOptions(connectionLimits),
  };
  if (tls === undefined) return createHttpServer(http, onRequest);
  return createHttpsServer({ ...http, ...secureContext(tls) }, onRequest);
}

function secureContext({ certificatePem, keyPem }: Certificate) {
  return { ...tlsRules, cert: certificatePem, key: keyPem };
}

/** A thrown error is a bug or an outage. The log gets the details. Returns what the client reads. */
function logFailure(error: unknown, { requestId, traceId }: Exchange, log: Log): Refusal {
  if (error instanceof DatabaseUnavailable) {
    // The log reports an outage once, not for every request that fails.
    log.debug({ requestId, traceId, reason: error.message }, "the database does not answer");
    return { code: "service_unavailable" };
  }
  log.error({ requestId, traceId, err: error }, "a request failed");
  return { code: "internal_error" };
}
