import { ConnectionError, OutcomeUnknown, type ApiError } from "@ironlease/client";
import type { ReactNode } from "react";
import { isSessionEnd, refusalOf, waitEndOf } from "#data/api-errors.ts";
import { CopyIconButton } from "./copy-button.tsx";
import { Notice } from "./notice.tsx";
import { remainingText, useNow } from "./time.tsx";

/** What went wrong, what it means for the reader, and the code for whoever is asked for help. */
export function ErrorNotice({
  error,
  actions,
  shownFields,
}: {
  readonly error: unknown;
  readonly actions?: ReactNode;
  /** Fields that show their own message need not be named here again. */
  readonly shownFields?: readonly string[];
}) {
  const refusal = refusalOf(error);
  const others = refusal?.fields.filter(({ field }) => !(shownFields ?? []).includes(field)) ?? [];
  return (
    <Notice
      tone={error instanceof OutcomeUnknown ? "warn" : "bad"}
      isNews
      title={titleOf(error)}
      actions={actions}
    >
      <p>{sentenceOf(error)}</p>
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

/** The code of a refusal and the name of its request, to be copied for whoever is asked for help. */
export function ErrorCode({ error }: { readonly error: ApiError<string> }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-xs text-quiet">
      <code className="font-mono">{error.code}</code>
      <span aria-hidden>·</span>
      <span>
        request <code className="font-mono break-all">{error.requestId}</code>
      </span>
      <CopyIconButton text={`${error.code} ${error.requestId}`} what="error code and request id" />
    </p>
  );
}

function Wait({ error }: { readonly error: ApiError<string> }) {
  const leftMs = useWait(error);
  if (leftMs === 0) return <p className="font-medium">You can try again now.</p>;
  return (
    <p className="figures font-medium" role="timer">
      You can try again in {remainingText(leftMs)}.
    </p>
  );
}

/** What is left of the wait that the service asks for. */
export function useWait(error: unknown): number {
  return Math.max(0, waitEndOf(error) - useNow(1_000));
}

function titleOf(error: unknown): string {
  if (isSessionEnd(error)) return "Your session had ended";
  if (error instanceof OutcomeUnknown) return "We do not know whether this was done";
  if (error instanceof ConnectionError) {
    return navigator.onLine ? "The service could not be reached" : "You are offline";
  }
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusalTitles[refusal.code] ?? "The service refused this";
  return "Something went wrong on this page";
}

const refusalTitles: Readonly<Record<string, string>> = {
  validation_failed: "Some of this needs correcting",
  invalid_credentials: "That did not match",
  rate_limited: "Too many attempts",
  account_frozen: "This account is frozen",
  insufficient_balance: "The balance does not cover this",
  capacity_exhausted: "Not that many are free",
  username_taken: "That username is taken",
  server_not_ready: "The server cannot take this now",
  limit_reached: "There is no room for another",
  not_found: "It is not there",
  role_forbidden: "Your role does not allow this",
  conflict: "Something else is true by now",
  settlement_unavailable: "No address could be made",
  settlement_failed: "No address could be made",
  service_unavailable: "The service cannot answer right now",
  internal_error: "Something went wrong on our side",
};

function sentenceOf(error: unknown): string {
  if (isSessionEnd(error)) return "Nothing was changed. You can do it again now.";
  if (error instanceof OutcomeUnknown) {
    return error.idempotencyKey === undefined
      ? "It was sent, but the answer was lost on the way. Look whether it was done before you do it again."
      : "It was sent, but the answer was lost on the way. Sending it again is safe: it is done once at most.";
  }
  if (error instanceof ConnectionError)
    return "Nothing was changed. Check the connection and try again.";
  // That sentence is for whoever reads answers; here the fields themselves say it.
  if (refusalOf(error)?.code === "validation_failed") {
    return "Correct what is marked, then send it again.";
  }
  return error instanceof Error ? error.message : "Reload the page and try again.";
}
