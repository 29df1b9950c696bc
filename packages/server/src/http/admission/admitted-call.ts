import { isChange, limits } from "@ironlease/contract";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import type { Authentication } from "./authentication.ts";
import { addressIn, type ClientAddress } from "#http/wire/client-address.ts";
import type { CookieNames } from "./cookies.ts";
import type { Exchange } from "#http/wire/exchange.ts";
import { coreFor } from "./guarded-writes.ts";
import { relyingPartyOf } from "./relying-party.ts";
import type { AnyCall } from "#http/bind.ts";
import type { Route } from "#http/routes.ts";

interface CallOptions {
  readonly core: Core;
  readonly authentication: Authentication;
  readonly cookies: CookieNames;
  readonly clientAddress: ClientAddress;
}

/** Computes each field on demand, because some are costly and most reads never need them. */
export class AdmittedCall implements AnyCall {
  readonly #exchange: Exchange;
  readonly #route: Route;
  readonly #options: CallOptions;

  constructor(exchange: Exchange, route: Route, options: CallOptions) {
    this.#exchange = exchange;
    this.#route = route;
    this.#options = options;
  }

  get core(): Core {
    const exchange = this.#exchange;
    const { core, authentication } = this.#options;
    const { operation } = this.#route;
    if (!isChange(operation)) return core;
    const id = exchange.session?.accountId ?? exchange.operator?.operatorId;
    if (id === undefined) return coreFor({ id: clientLane(this.client, operation.listener) }, core);
    return coreFor({ id, recheck: (tx) => authentication.recheck(exchange, tx) }, core);
  }

  get client(): Client {
    const { raw } = this.#exchange;
    return {
      ipAddress: addressIn(raw, this.#options.clientAddress),
      userAgent: (raw.headers["user-agent"] ?? "").slice(0, limits.userAgentLength),
    };
  }

  get parameters() {
    return this.#exchange.match?.parameters ?? {};
  }

  get query() {
    return this.#exchange.query;
  }

  get body() {
    return this.#exchange.body;
  }

  get account() {
    return this.#exchange.account;
  }

  get session() {
    return this.#exchange.session;
  }

  get operator() {
    return this.#exchange.operator;
  }

  get ifMatch() {
    return this.#exchange.raw.headers["if-match"];
  }

  get accept() {
    return this.#exchange.raw.headers.accept;
  }

  get csrfToken() {
    return this.#exchange.csrfToken;
  }

  get caller() {
    const { account, operator, idempotencyKey: key } = this.#exchange;
    const { id, operation } = this.#route;
    const intent = { operation: id, key, idempotency: operation.idempotency };
    const { client } = this;
    if (operator !== undefined) return { operator, client, intent };
    return account && { accountId: account.accountId, client, intent };
  }

  get relyingParty() {
    return relyingPartyOf(this.#exchange.origins);
  }

  get presentedSessionToken() {
    return this.#exchange.cookies(this.#options.cookies).session;
  }
}
