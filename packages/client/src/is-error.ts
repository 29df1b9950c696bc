import type { OperationTypes } from "./api.ts";
import { ApiError } from "./errors.ts";
import type { ErrorCode } from "./generated/errors.ts";

/** A type guard that narrows the code to those of the operation. */
export type IsError<Operations> = <
  Id extends keyof Operations & string,
  Code extends CodesOf<Operations[Id]> = CodesOf<Operations[Id]>,
>(
  error: unknown,
  operation: Id,
  ...codes: readonly Code[]
) => error is ApiError<Code>;

type CodesOf<O> = O extends OperationTypes ? O["errors"] : never;

export function isErrorOf(
  error: unknown,
  operation: string,
  ...codes: readonly ErrorCode[]
): error is ApiError<never> {
  return (
    error instanceof ApiError &&
    error.operation === operation &&
    (codes.length === 0 || codes.includes(error.code as ErrorCode))
  );
}
