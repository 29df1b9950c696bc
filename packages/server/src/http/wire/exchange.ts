import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccountKey } from "#features/api-keys/authenticate-api-key.ts";
import type { AccountSession } from "#features/sessions/authenticate-session.ts";
import type { OperatorSession } from "#features/operators/authenticate-operator.ts";
import type { Account } from "#http/bind.ts";
import { readCookies, type CookieNames, type PresentedCookies } from "#http/admission/cookies.ts";
import type { UnfitText } from "./read-json.ts";
import type { Place, RouteTable } from "#http/route-table.ts";
import type { Entry, Route } from "#http/routes.ts";

/**
 * One request on its way through the precedence list. Each step fills in what the later ones and the
 * handler need.
 */
export class Exchange {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly receivedAt = performance.now();
  /** Where the path leads, whatever the method. */
  readonly place: Place<Entry> | undefined;
  /** What path and method lead to. */
  readonly entry: Entry | undefined;
  /** The origins under which the request's Host is ours. */
  origins: readonly string[] = [];
  account: Account | undefined;
  session: AccountSession | undefined;
  operator: OperatorSession | undefined;
  /** The token of that session; empty when there is none. */
  csrfToken = "";
  key: AccountKey | undefined;
  bodyBytes: Buffer | undefined;
  body: unknown;
  /** Strings in the body that no column may hold. */
  unfit: readonly UnfitText[] = [];
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
    const target = raw.url ?? "";
    const mark = target.indexOf("?");
    this.place = table.find(mark === -1 ? target : target.slice(0, mark));
    this.entry = this.place?.byMethod.get(raw.method ?? "");
  }

  /** The operation; only to be asked after the steps that make sure there is one. */
  get route(): Route {
    if (this.entry?.kind !== "operation") throw new Error("the request is for no operation");
    return this.entry;
  }

  /** Whether somebody is signed in, by cookies and not by a key. */
  get hasSession(): boolean {
    return this.session !== undefined || this.operator !== undefined;
  }

  cookies(names: CookieNames): PresentedCookies {
    this.#cookies ??= readCookies(this.raw.headers.cookie, names);
    return this.#cookies;
  }

  /** Whether the request says that bytes follow its headers. */
  get announcesBody(): boolean {
    const { headers } = this.raw;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }
}
