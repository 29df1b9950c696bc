import {
  sessionClient,
  type ClientOptions,
  type SessionMethods,
  type UndescribedMethod,
} from "./client.ts";
import type { OperatorOperations } from "./generated/operator-types.ts";
import { operatorApi } from "./generated/operator.ts";
import { isErrorOf, type IsError } from "./is-error.ts";
import type { SessionAccess } from "./session.ts";

export type OperatorClient = SessionMethods<OperatorOperations> &
  UndescribedMethod & { readonly session: SessionAccess };

/** A client for an operator. It signs in and can call every operation. */
export function createOperatorClient(options: ClientOptions = {}): OperatorClient {
  return sessionClient<OperatorOperations>(operatorApi, options);
}

/** Whether the error is a rejection of this operation, with one of these codes or any code. */
export const isOperatorError: IsError<OperatorOperations> = isErrorOf;

export type * from "./generated/operator-types.ts";
export * from "./shared-exports.ts";
