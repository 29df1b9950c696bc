import type { ErrorCode } from "@ironlease/contract";
import type { Refusal, Result } from "#ports/result.ts";

export function ok(): Result<void>;
export function ok<T>(value: T): Result<T>;
export function ok<T>(value?: T): Result<T | undefined> {
  return { ok: true, value };
}

export function refuse(code: ErrorCode, details: Omit<Refusal, "code"> = {}): Result<never> {
  return { ok: false, refusal: { code, ...details } };
}

/** A refusal that names one invalid field. */
export function refuseField(field: string, message: string): Result<never> {
  return refuse("validation_failed", { fields: [{ field, message }] });
}
