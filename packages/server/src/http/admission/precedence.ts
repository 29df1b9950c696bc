import { isChange, limits, type FieldError } from "@ironlease/contract";
import { sameText } from "#kernel/access/secrets.ts";
import type { Refusal } from "#ports/result.ts";
import type { Authentication } from "./authentication.ts";
import type { Exchange } from "#http/wire/exchange.ts";
import type { CookieNames } from "./cookies.ts";
import type { Origins } from "./origins.ts";
import { readBody } from "#http/wire/read-body.ts";
import { readJson } from "#http/wire/read-json.ts";

/** The parts of a listener that the steps use. */
export interface Listener {
  readonly origins: Origins;
  readonly cookies: CookieNames;
  readonly authentication: Authentication;
}

type Verdict = Refusal | undefined;
type Step = (exchange: Exchange, listener: Listener) => Verdict | Promise<Verdict>;

/**
 * Decides which error wins. Every request passes these steps in order, and a step runs only if all
 * earlier ones passed. Nothing reads the body before `size`. The use case makes the remaining checks:
 * ownership, idempotency key lookup, catalogue, server state, funds and capacity, in that order.
 */
export const precedence = {
  framing,
  host,
  route,
  origin,
  method,
  bearerOnChange,
  session,
  csrfCookie,
  csrfHeader,
  permission,
  contentType,
  size,
  json,
  idempotencyKey,
  fields,
} as const satisfies Record<string, Step>;

const steps: readonly Step[] = Object.values(precedence);

/** Runs the steps. Returns the first refusal, or undefined if the request is admitted. */
export async function admit(exchange: Exchange, listener: Listener): Promise<Verdict> {
  for (const step of steps) {
    const verdict = step(exchange, listener);
    const refusal = verdict instanceof Promise ? await verdict : verdict;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** A page ignores everything but the address, so the other steps do not apply. */
export function admitPage(exchange: Exchange, listener: Listener): Verdict {
  return framing(exchange) ?? host(exchange, listener);
}

function framing({ raw }: Exchange): Verdict {
  const { host: hostHeader } = raw.headers;
  const target = raw.url ?? "";
  if (target.length > limits.urlLength) return { code: "uri_too_long" };
  if (sizeOf(raw.rawHeaders) > limits.headerBytes) return { code: "headers_too_large" };
  if (!target.startsWith("/")) {
    return { code: "bad_request", message: "Send only the path in the request line." };
  }
  if (target.includes("%") && !isWellEncoded(target)) {
    return { code: "bad_request", message: "The URL has an invalid percent-encoding." };
  }
  const encoding = raw.headers["transfer-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked") {
    return { code: "bad_request", message: "The only supported transfer encoding is chunked." };
  }
  // Node joins duplicate headers with a comma, which no host name contains.
  if (hostHeader === undefined || hostHeader.includes(",")) {
    return { code: "bad_request", message: "Send exactly one Host header." };
  }
  return undefined;
}

function isWellEncoded(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(headers: readonly string[]): number {
  let size = 0;
  for (const part of headers) size += part.length;
  return size;
}

function host(exchange: Exchange, { origins }: Listener): Verdict {
  const known = origins.forHost(exchange.raw.headers.host ?? "");
  if (known === undefined) return { code: "misdirected_request" };
  exchange.origins = known;
  return undefined;
}

function route({ match }: Exchange): Verdict {
  return match === undefined ? { code: "not_found" } : undefined;
}

function origin({ raw, origins }: Exchange): Verdict {
  const { origin: named } = raw.headers;
  if (named !== undefined && !origins.includes(named)) return { code: "origin_rejected" };
  const isRead = raw.method === "GET" || raw.method === "HEAD";
  const site = raw.headers["sec-fetch-site"];
  if (!isRead && typeof site === "string" && site.toLowerCase().includes("cross-site")) {
    return { code: "origin_rejected" };
  }
  return undefined;
}

function method({ entry }: Exchange): Verdict {
  return entry === undefined ? { code: "method_not_allowed" } : undefined;
}

function bearerOnChange({ raw, route: bound }: Exchange, { authentication }: Listener): Verdict {
  if (authentication.byKey === undefined) return undefined;
  const isKeyUsed = bearerIn(raw.headers.authorization) !== undefined;
  return isKeyUsed && isChange(bound.operation) ? { code: "api_key_forbidden" } : undefined;
}

function session(
  exchange: Exchange,
  { authentication, cookies }: Listener,
): Verdict | Promise<Verdict> {
  const access = exchange.route.operation.access;
  if (access.kind === "public") return undefined;
  if (authentication.byKey !== undefined) {
    const bearer = bearerIn(exchange.raw.headers.authorization);
    if (bearer !== undefined) return authentication.byKey(exchange, bearer, access);
  }
  const presented = exchange.cookies(cookies);
  if (presented.isDuplicated) return { code: "session_invalid" };
  if (presented.session === undefined) return authentication.unauthenticated;
  return authentication.bySession(exchange, presented.session);
}

function csrfCookie(exchange: Exchange, { cookies }: Listener): Verdict {
  if (!exchange.hasSession) return undefined;
  const presented = exchange.cookies(cookies).csrf;
  return presented !== undefined && sameText(presented, exchange.csrfToken)
    ? undefined
    : { code: "session_invalid" };
}

function csrfHeader(exchange: Exchange): Verdict {
  if (!exchange.hasSession || !isChange(exchange.route.operation)) return undefined;
  // Node joins duplicate headers with a comma, so they match no token.
  const token = exchange.raw.headers["x-csrf-token"];
  return typeof token === "string" && sameText(token, exchange.csrfToken)
    ? undefined
    : { code: "csrf_failed" };
}

/** Roles, required second factors and frozen accounts. */
function permission(exchange: Exchange, { authentication }: Listener): Verdict {
  return exchange.hasSession ? authentication.permit(exchange) : undefined;
}

const jsonType =
  /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*(?:utf-8|"utf-8")[ \t]*)?$/i;

function contentType(exchange: Exchange): Verdict {
  const { operation } = exchange.route;
  if (!isChange(operation)) return undefined;
  const { "content-type": type, "content-encoding": encoding } = exchange.raw.headers;
  const needsType = operation.body !== undefined || exchange.announcesBody;
  const isRight = type === undefined ? !needsType : jsonType.test(type);
  const isPlain = encoding === undefined || encoding.toLowerCase() === "identity";
  return isRight && isPlain ? undefined : { code: "unsupported_media_type" };
}

function size(exchange: Exchange): Verdict | Promise<Verdict> {
  const { operation } = exchange.route;
  if (!isChange(operation) || !exchange.announcesBody) return undefined;
  const { bodyBytes = limits.bodyBytes } = operation;
  return readBody(exchange.raw, exchange.response, bodyBytes).then((read) => {
    if (!read.ok) return read.refusal;
    exchange.bodyBytes = read.value;
    return undefined;
  });
}

/** An operation without fields may be called without a body. */
function json(exchange: Exchange): Verdict {
  const { operation } = exchange.route;
  if (!isChange(operation)) return undefined;
  const bytes = exchange.bodyBytes;
  if (bytes === undefined || bytes.length === 0) {
    exchange.body = {};
    return operation.body === undefined
      ? undefined
      : { code: "invalid_json", message: "Send a JSON object as the body." };
  }
  const read = readJson(bytes);
  if (!read.ok) return { code: "invalid_json", message: read.message };
  exchange.body = read.value;
  exchange.unstorable = read.unstorable;
  return undefined;
}

const keySyntax = new RegExp(
  `^[A-Za-z0-9_-]{${limits.idempotencyKey.min},${limits.idempotencyKey.max}}$`,
);

function idempotencyKey(exchange: Exchange): Verdict {
  if (exchange.route.operation.idempotency === "none") return undefined;
  const key = exchange.raw.headers["idempotency-key"];
  if (key === undefined) return { code: "idempotency_key_required" };
  if (typeof key !== "string" || !keySyntax.test(key)) return { code: "idempotency_key_invalid" };
  exchange.idempotencyKey = key;
  return undefined;
}

function fields(exchange: Exchange): Verdict {
  const { operation, checkBody, checkQuery } = exchange.route;
  if (!isChange(operation) && checkQuery === undefined) return undefined;
  const found = exchange.unstorable.map(({ path, reason }) => ({
    field: path === "" ? "body" : path,
    message: `must not contain a ${reason === "nul" ? "NUL character" : "lone surrogate"}`,
  }));
  if (isChange(operation)) found.push(...checkBody(exchange.body));
  if (checkQuery !== undefined) {
    const query = readQuery(exchange.raw.url ?? "");
    exchange.query = query;
    const unstorable = unstorableIn(query);
    const isNew = ({ field }: FieldError) => unstorable.every((one) => one.field !== field);
    found.push(...unstorable, ...checkQuery(query).filter(isNew));
  }
  return found.length === 0 ? undefined : { code: "validation_failed", fields: found };
}

/** PostgreSQL cannot store a NUL, so a search for one is invalid. */
function unstorableIn(query: Readonly<Record<string, string | string[]>>): readonly FieldError[] {
  return Object.entries(query)
    .filter(([, value]) => value.includes("\0"))
    .map(([field]) => ({ field, message: "must not contain a NUL character" }));
}

/** A duplicate parameter becomes a list, which no schema accepts, because it is ambiguous. */
function readQuery(target: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(target.split("?").slice(1).join("?"));
  const byName = Map.groupBy(parameters, ([name]) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, pairs]) => {
      const [first = "", ...others] = pairs.map(([, value]) => value);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

const bearerScheme = /(?:^|,[ \t]*)bearer(?:[ \t]+([^ \t].*)?)?$/i;

/**
 * The value after `Bearer`, or undefined without that scheme. Node joins two Authorization headers with
 * a comma. If one of them is a Bearer, the value is empty: a key was sent, but it is not valid.
 */
function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const match = bearerScheme.exec(authorization);
  if (match === null) return undefined;
  return match.index === 0 ? (match[1] ?? "") : "";
}
