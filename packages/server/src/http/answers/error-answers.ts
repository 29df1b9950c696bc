import { errors, limits, type ErrorBody } from "@ironlease/contract";
import type { Refusal } from "#ports/result.ts";

/** A refusal as HTTP: status, headers and the body shape of all errors. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

export function errorAnswer(
  refusal: Refusal,
  requestId: string,
  /** The authentication scheme that the listener accepts besides sessions, if any. */
  challenge?: "Bearer",
): ErrorAnswer {
  const { status, message } = errors[refusal.code];
  return {
    status,
    headers: headersOf(refusal, challenge),
    body: {
      error: {
        code: refusal.code,
        message: refusal.message ?? message,
        requestId,
        ...(refusal.fields === undefined
          ? {}
          : { fields: refusal.fields.slice(0, limits.fieldErrors) }),
      },
    },
  };
}

function headersOf(
  { code, limit }: Refusal,
  challenge: "Bearer" | undefined,
): Record<string, string> {
  if (code === "rate_limited" && limit !== undefined) {
    const { name, count, windowSeconds, retryAfterSeconds } = limit;
    return {
      "retry-after": String(retryAfterSeconds),
      ratelimit: `"${name}";r=0;t=${retryAfterSeconds}`,
      "ratelimit-policy": `"${name}";q=${count};w=${windowSeconds}`,
    };
  }
  if (code === "authentication_required" && challenge !== undefined) {
    return { "www-authenticate": challenge };
  }
  if (code === "service_unavailable") return { "retry-after": "1" };
  return {};
}
