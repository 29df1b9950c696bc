import type { Scope } from "./api.ts";
import {
  keyClient,
  sessionClient,
  type ClientOptions,
  type KeyMethods,
  type SessionMethods,
  type UndescribedMethod,
} from "./client.ts";
import { findWithdrawal } from "./find-withdrawal.ts";
import type { AccountOperations } from "./generated/account-types.ts";
import { accountApi } from "./generated/account.ts";
import { isErrorOf, type IsError } from "./is-error.ts";
import type { SessionAccess } from "./session.ts";

export type SessionClient = SessionMethods<AccountOperations> &
  UndescribedMethod & { readonly session: SessionAccess };
export type KeyClient<Allowed extends Scope = Scope> = KeyMethods<AccountOperations, Allowed> &
  UndescribedMethod;

/** Everything that an account can do, after signing in. */
export function createSessionClient(options: ClientOptions = {}): SessionClient {
  return sessionClient<AccountOperations>(accountApi, options, {
    requestWithdrawal: findWithdrawal,
  });
}

/** What an API key can read. With its `scope` given, only what that scope covers type-checks. */
export function createKeyClient<Allowed extends Scope = Scope>(
  options: ClientOptions & { readonly apiKey: string; readonly scope?: Allowed | undefined },
): KeyClient<Allowed> {
  return keyClient<AccountOperations, Allowed>(accountApi, options);
}

/** Whether the service refused that operation, with one of these codes or with any of its own. */
export const isError: IsError<AccountOperations> = isErrorOf;

export type { Scope } from "./api.ts";
export type * from "./generated/account-types.ts";
export * from "./surface.ts";
