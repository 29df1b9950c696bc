import { limits, type Operation } from "@ironlease/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Type, type TSchema } from "typebox";
import type { Client } from "../kernel/core.ts";
import type { Refusal, Result } from "../ports/result.ts";
import type { Handlers } from "./bind.ts";
import { accountCookies } from "./cookies.ts";
import type { Exchange, Route } from "./exchange.ts";
import { compileFieldCheck } from "./field-checks.ts";

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string;

type SendRefusal = (reply: FastifyReply, exchange: Exchange, refusal: Refusal) => FastifyReply;

/** A handler as the binding calls it; `Handlers` has typed it against its operation. */
type BoundHandler = (call: unknown) => Promise<Result<BoundAnswer>>;

interface BoundAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly cookies?: readonly string[];
  readonly replayed?: boolean;
}

const noFields = Type.Object({}, { additionalProperties: false });

/** Makes a described operation a route: its checks and its serializers are compiled here, once. */
export function bindOperation(
  app: FastifyInstance,
  id: string,
  operation: Operation,
  handlers: Handlers,
  clientAddress: ClientAddress,
  sendRefusal: SendRefusal,
): void {
  const handle = handlers[id as keyof Handlers] as unknown as BoundHandler;
  const route: Route = {
    id,
    operation,
    checkBody: compileFieldCheck(operation.body ?? noFields),
    checkQuery: operation.query === undefined ? undefined : compileFieldCheck(operation.query),
  };
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{([^}]+)\}/g, ":$1"),
    config: { route },
    schema: { response: answerSchemas(operation) },
    handler: async (request, reply) => {
      const { exchange } = request;
      // Who the client is takes parsing, and most reads never ask.
      const result = await handle({
        get client() {
          return clientOf(exchange, clientAddress);
        },
        parameters: request.params,
        query: request.query,
        body: exchange.body,
        account: exchange.account,
        session: exchange.session,
        csrfToken: exchange.csrfToken,
        intent: { operation: id, key: exchange.idempotencyKey, idempotency: operation.idempotency },
        get presentedSessionToken() {
          return exchange.cookies(accountCookies).session;
        },
      });
      if (!result.ok) return sendRefusal(reply, exchange, result.refusal);
      const { status, body, cookies, replayed } = result.value;
      if (replayed === true) reply.header("idempotent-replayed", "true");
      if (cookies !== undefined) reply.header("set-cookie", [...cookies]);
      return reply.code(status).send(body ?? undefined);
    },
  });
}

function answerSchemas(operation: Operation): Record<string, TSchema> {
  const described = Object.entries(operation.answers);
  return Object.fromEntries(
    described.filter((entry): entry is [string, TSchema] => entry[1] !== null),
  );
}

function clientOf({ raw }: Exchange, clientAddress: ClientAddress): Client {
  const forwardedFor = raw.headers["x-forwarded-for"];
  return {
    ipAddress: clientAddress(
      raw.socket.remoteAddress ?? "",
      Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    ),
    userAgent: (raw.headers["user-agent"] ?? "").slice(0, limits.userAgentLength),
  };
}
