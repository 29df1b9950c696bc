import type { Operation } from "@ironlease/contract";
import fastJson from "fast-json-stringify";
import { Type } from "typebox";
import type { Result } from "#ports/result.ts";
import { refuseMismatch } from "./bind.ts";
import { compileFieldCheck, type FieldCheck } from "./admission/field-checks.ts";
import type { AnyPage } from "./pages.ts";

/** An operation, bound: its checks and its serializers are compiled once, at start. */
export interface Route {
  readonly kind: "operation";
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly checkBody: FieldCheck;
  readonly checkQuery: FieldCheck | undefined;
  readonly handle: BoundHandler;
  /** By status; undefined where there is no body. */
  readonly serializers: ReadonlyMap<number, Serializer>;
}

type Serializer = (body: unknown) => string;

/** A handler as the server calls it; `Handlers` has typed it against its operation. */
export type BoundHandler = (call: unknown) => Promise<Result<BoundAnswer>>;

export interface BoundAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly cookies?: readonly string[];
  readonly replayed?: boolean;
  readonly etag?: string;
  readonly isKept?: boolean;
}

export type Entry = Route | (AnyPage & { readonly kind: "page" });

const noFields = Type.Object({}, { additionalProperties: false });

/** Everything that a listener serves: the operations, each with its handler, and the pages. */
export function bindAll(
  operations: Readonly<Record<string, Operation>>,
  handlers: Readonly<Record<string, unknown>>,
  pages: readonly AnyPage[],
): readonly Entry[] {
  refuseMismatch(operations, handlers);
  const routes = Object.entries(operations).map(([id, operation]) =>
    bindOperation(id, operation, handlers[id] as BoundHandler),
  );
  return [...routes, ...pages.map((page) => ({ ...page, kind: "page" as const }))];
}

function bindOperation(id: string, operation: Operation, handle: BoundHandler): Route {
  const serializers = new Map<number, Serializer>();
  for (const [status, schema] of Object.entries(operation.answers)) {
    if (schema !== null) serializers.set(Number(status), fastJson(schema) as Serializer);
  }
  return {
    kind: "operation",
    id,
    method: operation.method,
    path: operation.path,
    operation,
    checkBody: compileFieldCheck(operation.body ?? noFields),
    checkQuery: operation.query === undefined ? undefined : compileFieldCheck(operation.query),
    handle,
    serializers,
  };
}
