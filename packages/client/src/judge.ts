import type { OperationRow } from "./api.ts";
import type { ApiError, ConnectionError } from "./errors.ts";
import type { AnswerDetails } from "./read-answer.ts";

/** The result of one attempt. */
export type Sent =
  | { readonly kind: "answered"; readonly body: unknown; readonly details: AnswerDetails }
  | { readonly kind: "refused"; readonly error: ApiError<string> }
  | {
      /** No readable response arrived. */
      readonly kind: "lost";
      readonly error: ConnectionError;
      /** The request was certainly not sent. */
      readonly isUnsent: boolean;
      /** The certificate is not trusted, so a retry is pointless. */
      readonly isUntrusted: boolean;
      /** From a response that an intermediary sent instead of the service. */
      readonly retryAfterSeconds: number | undefined;
    };

/** What is known about earlier copies of the request. */
export interface Past {
  /** An earlier copy may have taken effect although its response was lost. */
  readonly isLost: boolean;
  /** The client generated the key, so it can only belong to this write. */
  readonly isOwnKey: boolean;
}

export type Verdict =
  /** An earlier copy has already had the effect. */
  | "done before"
  /** The service has a record for this key. Look up which request it belongs to. */
  | "recorded"
  /** Final: the request was rejected or never sent, and nothing changed. */
  | "refused"
  | "unknown"
  | "again";

/**
 * Decides what to do after an unsuccessful attempt. The hard case is a refusal after a lost response:
 * it applies to this copy, and only some codes also say something about the first.
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
  // With a generated key, a conflict on the first attempt means that a browser or a proxy has sent the
  // request twice.
  if (row.conflict && code === "idempotency_conflict" && (past.isLost || past.isOwnKey)) {
    return "recorded";
  }
  if (past.isLost && isDone(row, code)) return "done before";
  if (code === "rate_limited") return "again";
  if (isOutage(status, code)) return row.resend === "never" ? "unknown" : "again";
  return past.isLost && !settles.has(code) ? "unknown" : "refused";
}

/** Whether this attempt may have taken effect in spite of its result. */
export function mayHaveHappened(row: OperationRow, sent: Sent): boolean {
  if (row.resend === "free") return false;
  if (sent.kind === "lost") return !sent.isUnsent;
  // The service may have failed after committing.
  return sent.kind === "refused" && isOutage(sent.error.status, sent.error.code);
}

/**
 * The service sends these only after checking the key, or they depend on the request alone. If an
 * earlier copy had been recorded, its response would have been returned instead.
 */
const settles: ReadonlySet<string> = new Set([
  "validation_failed",
  "idempotency_conflict",
  "insufficient_balance",
  "capacity_exhausted",
  "server_not_ready",
  "limit_reached",
  "destination_not_allowed",
  "settlement_failed",
  "settlement_unavailable",
]);

function isOutage(status: number, code: string): boolean {
  return status >= 500 && !settles.has(code);
}

/** The error a retry gets when an earlier copy has deleted the record or ended the session. */
function isDone({ method, cookies, resend }: OperationRow, code: string): boolean {
  if (resend !== "same") return false;
  if (method === "DELETE") return code === "not_found";
  return cookies === "clear" && code === "authentication_required";
}
