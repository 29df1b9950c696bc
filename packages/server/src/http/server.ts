import type { Socket } from "node:net";
import { limits, type Operation } from "@ironlease/contract";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import type { Logger } from "pino";
import type { Core } from "../kernel/core.ts";
import { DatabaseUnavailable } from "../ports/db.ts";
import type { Refusal } from "../ports/result.ts";
import { accountAuthentication } from "./authentication.ts";
import { refuseMismatch, type Handlers } from "./bind.ts";
import { accountCookies } from "./cookies.ts";
import { errorAnswer } from "./error-answers.ts";
import { Exchange, type Route } from "./exchange.ts";
import { answerClientError, answerMalformedRequests } from "./malformed-requests.ts";
import type { Origins } from "./origins.ts";
import type { Page } from "./pages.ts";
import { pathTable, type PathTable } from "./path-table.ts";
import { admit, admitPage, type Listener } from "./precedence.ts";
import { requestIds } from "./request-ids.ts";
import { bindOperation, type ClientAddress } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";

export interface ServerOptions {
  readonly core: Core;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly handlers: Handlers;
  readonly pages: readonly Page[];
  readonly origins: Origins;
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
  /** Undefined behind a proxy that ends TLS. */
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    route?: Route;
    isPage?: boolean;
  }
}

/** The account listener: binds the operation table to its handlers behind the precedence list. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { operations, handlers, pages, log } = options;
  refuseMismatch(operations, handlers);
  const paths = pathTable([...Object.values(operations), ...pages]);
  const listener: Listener = {
    origins: options.origins,
    cookies: accountCookies,
    authentication: accountAuthentication(options.core),
    methodsAt: (target) => paths.methodsAt(target),
  };
  const app = createFastify(options, paths);

  app.addHook("onRequest", async (request, reply) => {
    const { route, isPage } = request.routeOptions.config;
    const exchange = exchangeOf(request, reply, route);
    const refusal =
      isPage === true ? admitPage(exchange, listener) : await admit(exchange, listener);
    return refusal === undefined ? undefined : sendRefusal(reply, exchange, refusal, paths);
  });
  app.addHook("onResponse", async ({ exchange }, reply) => logAnswer(log, exchange, reply));
  app.setErrorHandler((error, { exchange }, reply) =>
    sendRefusal(reply, exchange, refusalOf(error, exchange.requestId, log), paths),
  );
  app.setNotFoundHandler(({ exchange }, reply) =>
    sendRefusal(reply, exchange, { code: "not_found" }, paths),
  );
  for (const [id, operation] of Object.entries(operations)) {
    bindOperation(app, id, operation, handlers, options.clientAddress, (reply, exchange, refusal) =>
      sendRefusal(reply, exchange, refusal, paths),
    );
  }
  for (const { path, headers, body } of pages) {
    app.get(path, { config: { isPage: true } }, (_request, reply) =>
      reply.headers(headers).send(body),
    );
  }
  return app;
}

function createFastify(options: ServerOptions, paths: PathTable): FastifyInstance {
  const nextRequestId = requestIds();
  const http = {
    // Both are answered by us, in our shape; Node's own answers have no body.
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    // The parser counts the address among the headers. Above ours, so that each limit is told apart.
    maxHeaderSize: 4 * limits.headerBytes,
    headersTimeout: 20_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
  };
  const app = Fastify({
    ...(options.tls === undefined
      ? { http }
      : { https: { ...http, ...options.tls, minVersion: "TLSv1.2" } }),
    logger: false,
    genReqId: nextRequestId,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: limits.urlLength },
    // A request that was accepted is answered, also while the service drains.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: (error: Error, socket: Socket) =>
      answerClientError(error, socket, nextRequestId()),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const exchange = exchangeOf(request, reply, undefined);
      void sendRefusal(
        reply,
        exchange,
        { code: "bad_request", message: "The path is not well-formed." },
        paths,
      );
    },
  } as FastifyServerOptions);
  answerMalformedRequests(app.server, nextRequestId);
  // The body is read by the precedence list, in its turn; nothing is left for a parser to do.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.decorateRequest("exchange", null as unknown as Exchange);
  return app;
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route | undefined,
): Exchange {
  const exchange = new Exchange(request.raw, reply.raw, request.id, route, request.query);
  request.exchange = exchange;
  reply.headers(securityHeaders).header("x-request-id", exchange.requestId);
  return exchange;
}

function sendRefusal(
  reply: FastifyReply,
  exchange: Exchange,
  refusal: Refusal,
  paths: PathTable,
): FastifyReply {
  const { status, headers, body } = errorAnswer(refusal, exchange.requestId);
  if (refusal.code === "method_not_allowed") {
    reply.header("allow", paths.methodsAt(exchange.raw.url ?? "")?.join(", ") ?? "");
  }
  // Whoever still sends a body that nobody will read is told to stop by closing the connection.
  if (exchange.announcesBody && !exchange.raw.readableEnded) reply.header("connection", "close");
  return reply
    .code(status)
    .headers(headers)
    .header("content-type", "application/json; charset=utf-8")
    .send(JSON.stringify(body));
}

/** What was thrown is a bug or an outage: the log gets all of it, the client a plain sentence. */
function refusalOf(error: unknown, requestId: string, log: Logger): Refusal {
  if (error instanceof DatabaseUnavailable) {
    log.warn({ requestId, err: error }, "the database does not answer");
    return { code: "service_unavailable" };
  }
  log.error({ requestId, err: error }, "a request failed");
  return { code: "internal_error" };
}

/** Never the path, the query or a header: any of them may hold a secret that somebody misplaced. */
function logAnswer(log: Logger, exchange: Exchange, reply: FastifyReply): void {
  log.info({
    requestId: exchange.requestId,
    operation: exchange.route?.id,
    method: exchange.raw.method,
    status: reply.statusCode,
    ms: Math.round((performance.now() - exchange.receivedAt) * 100) / 100,
  });
}
