import type { ErrorCode } from "@ironlease/client";
import { ownEntry } from "@ironlease/command-line";

interface Exit {
  readonly code: number;
  readonly meaning: string;
}

/** Exit codes. Scripts rely on the numbers, so they never change. */
export const exits = {
  ok: { code: 0, meaning: "Success." },
  failed: {
    code: 1,
    meaning: "Unexpected error in this program or the service.",
  },
  usage: {
    code: 2,
    meaning: "Invalid command line or local file, or no terminal to ask on. Nothing was changed.",
  },
  invalid: { code: 3, meaning: "The service rejected a value and names the fields." },
  signedOut: {
    code: 4,
    meaning: "Not signed in, or wrong password, recovery code or API key.",
  },
  forbidden: { code: 5, meaning: "Not allowed, such as an API key's scope or a frozen account." },
  notFound: { code: 6, meaning: "Not found in this account." },
  refused: {
    code: 7,
    meaning: "Not possible now: balance, capacity, server state, a limit, or a name in use.",
  },
  keyUsed: { code: 8, meaning: "The idempotency key was used before." },
  rateLimited: { code: 9, meaning: "Too many attempts. Wait before the next one." },
  unavailable: { code: 10, meaning: "The service or its settlement provider is unavailable." },
  unreachable: { code: 11, meaning: "No valid response. Nothing was changed." },
  untrusted: {
    code: 12,
    meaning: "The service's certificate is not trusted. Nothing was sent.",
  },
  unknown: {
    code: 13,
    meaning:
      "Outcome unknown: the response to a change was lost, or its key was used before. Retry with the same idempotency key, or check the records.",
  },
  declined: { code: 14, meaning: "Confirmation declined. Nothing was changed." },
  notYet: { code: 15, meaning: "Timed out while waiting for a deposit or a server." },
  unverified: { code: 16, meaning: "The file is not what the service signed." },
  ended: { code: 17, meaning: "The server was cancelled or terminated while waiting for it." },
  interrupted: { code: 130, meaning: "Interrupted with Ctrl-C. No change was in progress." },
} as const satisfies Record<string, Exit>;

export type ExitName = keyof typeof exits;

/** The exit code for each error code of the service. A missing one does not compile. */
export const exitOfCode: Readonly<Record<ErrorCode, ExitName>> = {
  validation_failed: "invalid",
  invalid_json: "invalid",
  idempotency_key_required: "invalid",
  idempotency_key_invalid: "invalid",
  bad_request: "invalid",
  authentication_required: "signedOut",
  session_invalid: "signedOut",
  invalid_credentials: "signedOut",
  csrf_failed: "forbidden",
  origin_rejected: "forbidden",
  api_key_forbidden: "forbidden",
  insufficient_scope: "forbidden",
  account_frozen: "forbidden",
  role_forbidden: "forbidden",
  second_factor_required: "forbidden",
  not_found: "notFound",
  method_not_allowed: "notFound",
  insufficient_balance: "refused",
  capacity_exhausted: "refused",
  idempotency_conflict: "keyUsed",
  username_taken: "refused",
  account_not_empty: "refused",
  server_not_ready: "refused",
  limit_reached: "refused",
  conflict: "refused",
  destination_not_allowed: "refused",
  quote_changed: "refused",
  payload_too_large: "invalid",
  uri_too_long: "invalid",
  unsupported_media_type: "invalid",
  expectation_failed: "invalid",
  misdirected_request: "invalid",
  rate_limited: "rateLimited",
  headers_too_large: "invalid",
  internal_error: "failed",
  settlement_failed: "unavailable",
  settlement_unavailable: "unavailable",
  service_unavailable: "unavailable",
};

/** The exit code for an error response. An unknown code falls back to its HTTP status. */
export function exitOfRefusal(code: string, status: number): ExitName {
  const known = ownEntry<ExitName>(exitOfCode, code);
  if (known !== undefined) return known;
  if (status >= 500) return "unavailable";
  return status === 409 ? "refused" : "invalid";
}
