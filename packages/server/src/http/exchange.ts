import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "@ironlease/contract";
import type { AccountKey } from "../features/api-keys/authenticate-api-key.ts";
import type { AccountSession } from "../features/sessions/authenticate-session.ts";
import type { FieldCheck } from "./field-checks.ts";
import type { UnfitText } from "./read-json.ts";
import { readCookies, type CookieNames, type PresentedCookies } from "./cookies.ts";

/** What the routes know: how a path's operation is described and checked. */
export interface Route {
  readonly id: string;
  readonly operation: Operation;
  readonly checkBody: FieldCheck;
  readonly checkQuery: FieldCheck | undefined;
}

/**
 * One request on its way through the precedence list. Each step fills in what the later ones and the
 * handler need.
 */
export class Exchange {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The bound operation; undefined for a page and when path or method lead nowhere. */
  readonly route: Route | undefined;
  readonly query: unknown;
  readonly receivedAt = performance.now();
  /** The origins under which the request's Host is ours. */
  origins: readonly string[] = [];
  account: { readonly accountId: string; readonly username: string } | undefined;
  session: AccountSession | undefined;
  /** The token of that session; empty when there is none. */
  csrfToken = "";
  key: AccountKey | undefined;
  bodyBytes: Buffer | undefined;
  body: unknown;
  /** Strings in the body that no column may hold. */
  unfit: readonly UnfitText[] = [];
  idempotencyKey: string | undefined;
  #cookies: PresentedCookies | undefined;

  constructor(
    raw: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    route: Route | undefined,
    query: unknown,
  ) {
    this.raw = raw;
    this.response = response;
    this.requestId = requestId;
    this.route = route;
    this.query = query;
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
