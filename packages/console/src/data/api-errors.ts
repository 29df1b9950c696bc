import { ApiError } from "@ironlease/client";

/** What the service refused with; undefined when it was something else that went wrong. */
export function refusalOf(error: unknown): ApiError<string> | undefined {
  return error instanceof ApiError ? (error as ApiError<string>) : undefined;
}

/** Whether it was refused because nobody is signed in (any longer). */
export function isSessionEnd(error: unknown): boolean {
  const code = refusalOf(error)?.code;
  return code === "authentication_required" || code === "session_invalid";
}

const waits = new WeakMap<object, number>();

/** When the service takes the next attempt, counted from when this was first asked of the error. */
export function waitEndOf(error: unknown): number {
  const refusal = refusalOf(error);
  if (refusal?.retryAfterSeconds === undefined) return 0;
  const known = waits.get(refusal);
  if (known !== undefined) return known;
  const end = Date.now() + refusal.retryAfterSeconds * 1_000;
  waits.set(refusal, end);
  return end;
}
