import type { Operation } from "@ironlease/contract";
import fastJson from "fast-json-stringify";
import { Type, type TSchema } from "typebox";
import { compileFieldCheck, type FieldCheck } from "./admission/field-checks.ts";
import { refused, type Outcome } from "./answers/outcome.ts";
import { assertHandlersMatch, type AnyCall, type BoundAnswer, type BoundHandler } from "./bind.ts";
import type { AnyPage } from "./pages.ts";

/** A bound operation. Its checks and serializers are compiled once, on first use. */
export interface Route {
  readonly kind: "operation";
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly checkBody: FieldCheck;
  readonly checkQuery: FieldCheck | undefined;
  /** Calls the handler and serializes its answer. */
  readonly respond: Respond;
}

export type Respond = (call: AnyCall) => Promise<Outcome>;

export type WrapRoute = (route: Route) => Route;

export type Entry = Route | (AnyPage & { readonly kind: "page" });

const noFields = Type.Object({}, { additionalProperties: false });

/** Everything that a listener serves: operations bound to their handlers, and pages. */
export function bindAll(
  operations: Readonly<Record<string, Operation>>,
  handlers: Readonly<Record<string, BoundHandler>>,
  pages: readonly AnyPage[],
  responseCache: WrapRoute = (route) => route,
): readonly Entry[] {
  assertHandlersMatch(operations, handlers);
  const routes = Object.entries(handlers).flatMap(([id, handle]) => {
    const operation = operations[id];
    return operation === undefined ? [] : [responseCache(bindOperation(id, operation, handle))];
  });
  return [...routes, ...pages.map((page) => ({ ...page, kind: "page" as const }))];
}

function bindOperation(id: string, operation: Operation, handle: BoundHandler): Route {
  return {
    kind: "operation",
    id,
    method: operation.method,
    path: operation.path,
    operation,
    checkBody: compileFieldCheck(operation.body ?? noFields),
    checkQuery: operation.query === undefined ? undefined : compileFieldCheck(operation.query),
    respond: respondWith(handle, serializersOf(operation)),
  };
}

type Serializer = (body: unknown) => string;

/** The serializers by status. A status without a body has none. */
function serializersOf(operation: Operation): ReadonlyMap<number, Serializer> {
  const serializers = new Map<number, Serializer>();
  for (const [status, schema] of Object.entries(operation.answers)) {
    if (schema !== null) serializers.set(Number(status), serializerOf(schema));
  }
  return serializers;
}

function serializerOf(schema: TSchema): Serializer {
  let compiled: Serializer | undefined;
  return (body) => {
    compiled ??= fastJson(schema) as Serializer;
    return compiled(body);
  };
}

function respondWith(handle: BoundHandler, serializers: ReadonlyMap<number, Serializer>): Respond {
  return async (call) => {
    const result = await handle(call);
    if (!result.ok) return refused(result.refusal);
    const answer = result.value;
    const { status, body, contentType, chunks, fileName } = answer;
    if (contentType !== undefined && chunks !== undefined) {
      return {
        kind: "stream",
        status,
        contentType,
        chunks,
        ...(fileName !== undefined && { fileName }),
      };
    }
    const text = serializers.get(status)?.(body);
    return { kind: "answer", status, text, headers: headersOf(answer) };
  };
}

const noHeaders: readonly string[] = [];

function headersOf({ cookies, replayed, etag }: BoundAnswer): readonly string[] {
  if (cookies === undefined && replayed !== true && etag === undefined) return noHeaders;
  const headers: string[] = [];
  for (const line of cookies ?? []) headers.push("set-cookie", line);
  if (replayed === true) headers.push("idempotent-replayed", "true");
  if (etag !== undefined) headers.push("etag", etag);
  return headers;
}
