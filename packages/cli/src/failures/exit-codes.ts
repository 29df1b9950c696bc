import type { ErrorCode } from "@ironlease/client";
import { ownEntry } from "@ironlease/command-line";

interface Exit {
  readonly code: number;
  readonly meaning: string;
}

/** How the program may end. The numbers are for scripts and never change their meaning. */
export const exits = {
  ok: { code: 0, meaning: "It worked." },
  failed: {
    code: 1,
    meaning: "Something went wrong that nobody foresaw, in this program or in the service.",
  },
  usage: {
    code: 2,
    meaning:
      "The command line or a file of this machine is not right, or there is no terminal to ask on. Nothing was changed.",
  },
  invalid: { code: 3, meaning: "The service refused a value; it names the fields." },
  signedOut: {
    code: 4,
    meaning: "Not signed in, or the password, recovery code or key is not right.",
  },
  forbidden: { code: 5, meaning: "Signed in, but not allowed: a key's scope, a frozen account." },
  notFound: { code: 6, meaning: "There is no such thing in this account." },
  refused: {
    code: 7,
    meaning: "Not possible as things are: balance, capacity, a server's state, a limit, a name.",
  },
  keyUsed: { code: 8, meaning: "The idempotency key was used before." },
  rateLimited: { code: 9, meaning: "Too many attempts; wait before the next one." },
  unavailable: { code: 10, meaning: "The service or its settlement provider cannot do it now." },
  unreachable: { code: 11, meaning: "No readable answer came, and nothing was changed by asking." },
  untrusted: {
    code: 12,
    meaning: "The service's certificate is not one to be trusted. Nothing was sent.",
  },
  unknown: {
    code: 13,
    meaning:
      "A change was sent and its answer was lost, or a used key may belong to it: it may have happened. Send it again with the same idempotency key, or check the records.",
  },
  declined: { code: 14, meaning: "The question was answered with no. Nothing was changed." },
  notYet: { code: 15, meaning: "What was waited for has not happened in the time given." },
  interrupted: { code: 130, meaning: "Interrupted with Ctrl-C; no change was under way." },
} as const satisfies Record<string, Exit>;

export type ExitName = keyof typeof exits;

/** Every code of the service has its exit; one that is missing here does not compile. */
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
  server_not_ready: "refused",
  limit_reached: "refused",
  conflict: "refused",
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

/** The exit of a refusal; a code that is newer than this program goes by its status. */
export function exitOfRefusal(code: string, status: number): ExitName {
  const known = ownEntry<ExitName>(exitOfCode, code);
  if (known !== undefined) return known;
  if (status >= 500) return "unavailable";
  return status === 409 ? "refused" : "invalid";
}
