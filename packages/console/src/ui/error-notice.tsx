import { ConnectionError, OutcomeUnknown, type ApiError } from "@ironlease/client";
import type { ReactNode } from "react";
import { isSessionError, apiErrorOf, retryAtOf } from "#data/api-errors.ts";
import { CopyIconButton } from "./copy-button.tsx";
import { Notice } from "./notice.tsx";
import { remainingText } from "./remaining-text.ts";
import { Time, useNow } from "./time.tsx";

/** What went wrong and what to do, with the error code and request id for support. */
export function ErrorNotice({
  error,
  title,
  actions,
  shownFields,
}: {
  readonly error: unknown;
  /** Replaces the title of a validation error whose fields are listed elsewhere. */
  readonly title?: string | undefined;
  readonly actions?: ReactNode;
  /** Fields that show their own message; the notice leaves them out. */
  readonly shownFields?: readonly string[];
}) {
  const refusal = apiErrorOf(error);
  const body = bodyOf(error);
  const others = refusal?.fields.filter(({ field }) => !(shownFields ?? []).includes(field)) ?? [];
  return (
    <Notice
      tone={error instanceof OutcomeUnknown ? "warn" : "bad"}
      isAnnounced
      title={title ?? titleOf(error, others.length > 0)}
      actions={actions}
    >
      {body !== undefined && <p>{withTimes(body)}</p>}
      {others.map(({ field, message }) => (
        <p key={field}>
          <code className="font-mono">{field}</code> {message}.
        </p>
      ))}
      {refusal?.retryAfterSeconds !== undefined && <Wait error={refusal} />}
      {refusal !== undefined && <ErrorCode error={refusal} />}
    </Notice>
  );
}

/** The error code and request id, to copy into a support request. */
export function ErrorCode({ error }: { readonly error: ApiError<string> }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-xs text-quiet">
      <code className="font-mono">{error.code}</code>
      <span aria-hidden>·</span>
      <span className="inline-flex min-w-0 items-center">
        <span>
          request <code className="font-mono break-all">{error.requestId}</code>
        </span>
        <CopyIconButton
          text={`${error.code} ${error.requestId}`}
          what="error code and request id"
        />
      </span>
    </p>
  );
}

function Wait({ error }: { readonly error: ApiError<string> }) {
  const leftMs = useRetryDelay(error);
  if (leftMs === 0) return <p className="font-medium">You can try again now.</p>;
  return (
    <p className="figures font-medium" role="timer">
      You can try again in {remainingText(leftMs)}.
    </p>
  );
}

/** Milliseconds until the service accepts another attempt. */
export function useRetryDelay(error: unknown): number {
  return Math.max(0, retryAtOf(error) - useNow(1_000));
}

const utcTime = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** API messages have times in UTC. The user reads them in their own time zone. */
export function withTimes(text: string): ReactNode {
  return text.split(utcTime).map((part, index) =>
    // The odd parts are what the expression captured.
    index % 2 === 0 ? part : <Time key={part} at={part} />,
  );
}

function titleOf(error: unknown, hasOtherFields: boolean): string {
  if (isSessionError(error)) return "Your session ended before this was saved";
  if (error instanceof OutcomeUnknown) return "The connection was lost";
  if (error instanceof ConnectionError) {
    return navigator.onLine ? "Cannot reach the service" : "You are offline";
  }
  const refusal = apiErrorOf(error);
  if (refusal === undefined) return "Something went wrong";
  if (refusal.code === "validation_failed" && hasOtherFields) return "Some fields are invalid";
  return titles[refusal.code] ?? "The request was refused";
}

const titles: Readonly<Record<string, string>> = {
  validation_failed: "Fix the highlighted fields",
  invalid_credentials: "Incorrect credentials",
  rate_limited: "Too many attempts",
  account_frozen: "Account frozen",
  insufficient_balance: "Insufficient balance",
  capacity_exhausted: "Not enough machines available",
  account_not_empty: "The account is not empty",
  username_taken: "Username already taken",
  server_not_ready: "Not possible in the server's current state",
  limit_reached: "Limit reached",
  not_found: "Not found",
  role_forbidden: "Your role does not allow this",
  conflict: "This changed while you were working",
  settlement_unavailable: "Could not create an address",
  settlement_failed: "Could not create an address",
  service_unavailable: "The service is temporarily unavailable",
  internal_error: "Something went wrong on our side",
};

/** Replaces API messages that address programs. Undefined: the title, a field or a countdown says it. */
const bodies: Readonly<Record<string, string | undefined>> = {
  validation_failed: undefined,
  rate_limited: undefined,
};

function bodyOf(error: unknown): string | undefined {
  if (isSessionError(error)) return "Nothing was changed. Try again.";
  if (error instanceof OutcomeUnknown) {
    return error.idempotencyKey === undefined
      ? "The request was sent, but no answer arrived. Check whether it went through before you try again."
      : "The request was sent, but no answer arrived. Retrying is safe: it runs at most once.";
  }
  if (error instanceof ConnectionError)
    return "Nothing was changed. Check your connection and try again.";
  const code = apiErrorOf(error)?.code;
  if (code !== undefined && code in bodies) return bodies[code];
  if (!(error instanceof Error)) return "Reload the page and try again.";
  // Some API messages begin with what the title already says.
  const repeated = `${titleOf(error, false)}. `;
  return error.message.startsWith(repeated) ? error.message.slice(repeated.length) : error.message;
}
