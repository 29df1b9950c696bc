import type { OperationRow } from "./api.ts";
import type { ApiError, ConnectionError } from "./errors.ts";
import type { AnswerDetails } from "./read-answer.ts";

/** How one sending of a request ended. */
export type Sent =
  | { readonly kind: "answered"; readonly body: unknown; readonly details: AnswerDetails }
  | { readonly kind: "refused"; readonly error: ApiError<string> }
  | {
      /** No readable answer came. */
      readonly kind: "lost";
      readonly error: ConnectionError;
      /** The request certainly never left. */
      readonly isUnsent: boolean;
      /** The other end is not who it should be; trying again changes nothing. */
      readonly isUntrusted: boolean;
      /** What something on the way asked for, in an answer that is none of the service's. */
      readonly retryAfterSeconds: number | undefined;
    };

/** What is known of the copies that were sent before. */
export interface Past {
  /** An earlier copy may have been carried out without our hearing of it. */
  readonly isLost: boolean;
  /** The client made the key, so it was used for this write only. */
  readonly isOwnKey: boolean;
}

export type Verdict =
  /** What was wanted has been brought about by an earlier copy. */
  | "done before"
  /** The service has a record under this key. Which request it belongs to is to be looked up. */
  | "recorded"
  /** The refusal, or that nothing was sent, is the outcome: nothing was changed. */
  | "refused"
  | "unknown"
  | "again";

/**
 * What a sending that was not answered means, in the light of those before it. The hard part is a
 * refusal after a lost answer: it is about this copy, and only some say anything about the first.
 */
export function judge(
  row: OperationRow,
  sent: Exclude<Sent, { kind: "answered" }>,
  past: Past,
): Verdict {
  if (sent.kind === "lost") {
    if (sent.isUntrusted) return past.isLost ? "unknown" : "refused";
    return sent.isUnsent || row.resend !== "never" ? "again" : "unknown";
  }
  const { code, status } = sent.error;
  // With a key of our own, a conflict on what we take for the first copy means that something between
  // us and the service, a browser or a proxy, has sent it twice.
  if (row.conflict && code === "idempotency_conflict" && (past.isLost || past.isOwnKey)) {
    return "recorded";
  }
  if (past.isLost && isDone(row, code)) return "done before";
  if (code === "rate_limited") return "again";
  if (isOutage(status, code)) return row.resend === "never" ? "unknown" : "again";
  return past.isLost && !settles.has(code) ? "unknown" : "refused";
}

/** Whether what was asked for may have been done, although the sending ended like this. */
export function mayHaveHappened(row: OperationRow, sent: Sent): boolean {
  if (row.resend === "free") return false;
  if (sent.kind === "lost") return !sent.isUnsent;
  // The service may have failed after it had written everything down.
  return sent.kind === "refused" && isOutage(sent.error.status, sent.error.code);
}

/**
 * Refusals that are told only after the look at the key, or that depend on the request alone: had an
 * earlier copy been recorded, its answer would have come instead.
 */
const settles: ReadonlySet<string> = new Set([
  "validation_failed",
  "idempotency_conflict",
  "insufficient_balance",
  "capacity_exhausted",
  "server_not_ready",
  "limit_reached",
  "settlement_failed",
  "settlement_unavailable",
]);

function isOutage(status: number, code: string): boolean {
  return status >= 500 && !settles.has(code);
}

/** What a later copy hears when an earlier one has removed the thing, or ended the session. */
function isDone({ method, cookies, resend }: OperationRow, code: string): boolean {
  if (resend !== "same") return false;
  if (method === "DELETE") return code === "not_found";
  return cookies === "clear" && code === "authentication_required";
}
