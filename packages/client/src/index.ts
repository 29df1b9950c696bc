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

/** A client for an account. It signs in and can call every operation. */
export function createSessionClient(options: ClientOptions = {}): SessionClient {
  return sessionClient<AccountOperations>(accountApi, options, {
    requestWithdrawal: findWithdrawal,
  });
}

/** A read-only client with an API key. With `scope`, the types allow only the operations of that scope. */
export function createKeyClient<Allowed extends Scope = Scope>(
  options: ClientOptions & { readonly apiKey: string; readonly scope?: Allowed | undefined },
): KeyClient<Allowed> {
  return keyClient<AccountOperations, Allowed>(accountApi, options);
}

/** Whether the error is a rejection of this operation, with one of these codes or any code. */
export const isError: IsError<AccountOperations> = isErrorOf;

export type { Scope } from "./api.ts";
export type * from "./generated/account-types.ts";
export * from "./shared-exports.ts";
export { readWithdrawalHistory, type WithdrawalInLedger } from "./withdrawal-history.ts";
