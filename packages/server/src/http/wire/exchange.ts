import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccountKey } from "#features/api-keys/authenticate-api-key.ts";
import type { AccountSession } from "#features/sessions/authenticate-session.ts";
import type { OperatorSession } from "#features/operators/authenticate-operator.ts";
import type { Account } from "#http/bind.ts";
import { readCookies, type CookieNames, type PresentedCookies } from "#http/admission/cookies.ts";
import type { UnstorableText } from "./read-json.ts";
import type { PathMatch, RouteTable } from "#http/route-table.ts";
import { traceIdOf, traceparentIn } from "./trace-id.ts";
import type { Entry, Route } from "#http/routes.ts";

/**
 * One request on its way through the precedence list. Each step sets the fields that later steps and
 * the handler need.
 */
export class Exchange {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly receivedAt = performance.now();
  /** The client's trace. */
  readonly traceparent: string | undefined;
  /** The match of the path, for any method. */
  readonly match: PathMatch<Entry> | undefined;
  /** The match of path and method. */
  readonly entry: Entry | undefined;
  /** Our origins with the request's Host. */
  origins: readonly string[] = [];
  account: Account | undefined;
  session: AccountSession | undefined;
  operator: OperatorSession | undefined;
  /** The CSRF token of the session, or an empty string without one. */
  csrfToken = "";
  key: AccountKey | undefined;
  bodyBytes: Buffer | undefined;
  body: unknown;
  unstorable: readonly UnstorableText[] = [];
  query: unknown;
  idempotencyKey: string | undefined;
  #cookies: PresentedCookies | undefined;

  constructor(
    raw: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    table: RouteTable<Entry>,
  ) {
    this.raw = raw;
    this.response = response;
    this.requestId = requestId;
    this.traceparent = traceparentIn(raw.headers["traceparent"]);
    const target = raw.url ?? "";
    const mark = target.indexOf("?");
    this.match = table.find(mark === -1 ? target : target.slice(0, mark));
    this.entry = this.match?.byMethod.get(raw.method ?? "");
  }

  /** What the client's own tracing calls this request. */
  get traceId(): string | undefined {
    return this.traceparent === undefined ? undefined : traceIdOf(this.traceparent);
  }

  /** Valid only after the steps `route` and `method`. */
  get route(): Route {
    if (this.entry?.kind !== "operation") throw new Error("the request matches no operation");
    return this.entry;
  }

  /** Whether the caller is signed in with cookies rather than an API key. */
  get hasSession(): boolean {
    return this.session !== undefined || this.operator !== undefined;
  }

  cookies(names: CookieNames): PresentedCookies {
    this.#cookies ??= readCookies(this.raw.headers.cookie, names);
    return this.#cookies;
  }

  /** Whether the headers announce a body. */
  get announcesBody(): boolean {
    const { headers } = this.raw;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }
}
