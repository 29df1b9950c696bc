import { ApiError, ConnectionError } from "@ironlease/client";

/** The API error, or undefined for any other failure. */
export function apiErrorOf(error: unknown): ApiError<string> | undefined {
  return error instanceof ApiError ? (error as ApiError<string>) : undefined;
}

/** Whether the request failed because there is no valid session. */
export function isSessionError(error: unknown): boolean {
  const code = apiErrorOf(error)?.code;
  return code === "authentication_required" || code === "session_invalid";
}

/** Whether the service did not answer, or could not. The same request may succeed later. */
export function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (apiErrorOf(error)?.status ?? 0) >= 500;
}

const retryTimes = new WeakMap<object, number>();

/** When to retry (Retry-After), counted from the first call for this error. */
export function retryAtOf(error: unknown): number {
  const refusal = apiErrorOf(error);
  if (refusal?.retryAfterSeconds === undefined) return 0;
  const known = retryTimes.get(refusal);
  if (known !== undefined) return known;
  const end = Date.now() + refusal.retryAfterSeconds * 1_000;
  retryTimes.set(refusal, end);
  return end;
}
