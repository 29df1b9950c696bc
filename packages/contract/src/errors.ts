/**
 * Every error code that can leave the service, with its status and the sentence a person reads.
 * A message says what to do; a use case may send a more precise sentence with the same code.
 */
export const errors = {
  validation_failed: {
    status: 400,
    message:
      "Some fields are not valid. Correct the fields named in this answer and send it again.",
  },
  invalid_json: {
    status: 400,
    message: "The body is not valid JSON. Send one JSON object in UTF-8 with no key twice.",
  },
  idempotency_key_required: {
    status: 400,
    message:
      "This request needs an Idempotency-Key header. Make one per intent and keep it for retries.",
  },
  idempotency_key_invalid: {
    status: 400,
    message:
      "The Idempotency-Key must be 8 to 100 letters, digits, hyphens or underscores, sent once.",
  },
  bad_request: {
    status: 400,
    message: "The request is not well-formed HTTP. Check the request line and the headers.",
  },
  authentication_required: {
    status: 401,
    message: "Sign in first, or send a valid API key.",
  },
  session_invalid: {
    status: 401,
    message: "The session and CSRF cookies do not belong together. Sign in again.",
  },
  invalid_credentials: {
    status: 401,
    message: "That did not match an account. Check what you typed and try again.",
  },
  csrf_failed: {
    status: 403,
    message: "Send the csrfToken of this session in the x-csrf-token header, once.",
  },
  origin_rejected: {
    status: 403,
    message:
      "This request came from another site. Use the service's own pages or leave Origin out.",
  },
  api_key_forbidden: {
    status: 403,
    message: "API keys can only read. Sign in with a session to make changes.",
  },
  insufficient_scope: {
    status: 403,
    message:
      "This API key's scope does not cover this route. Use a key with another scope or sign in.",
  },
  account_frozen: {
    status: 403,
    message:
      "This account is frozen. It can read, sign out and end its own access. Contact support.",
  },
  role_forbidden: {
    status: 403,
    message: "Your operator role does not allow this. Ask a colleague whose role does.",
  },
  second_factor_required: {
    status: 403,
    message: "Set up the second factor before doing anything else.",
  },
  not_found: {
    status: 404,
    message: "Not found. Check the path and the id.",
  },
  method_not_allowed: {
    status: 405,
    message: "This path does not take that method. The Allow header lists those it takes.",
  },
  insufficient_balance: {
    status: 409,
    message:
      "The balance does not cover this. Deposit first, then send it again with the same key.",
  },
  capacity_exhausted: {
    status: 409,
    message: "There are not that many machines of this configuration free in this region.",
  },
  idempotency_conflict: {
    status: 409,
    message: "This Idempotency-Key was used before. Check your records before you send a new key.",
  },
  username_taken: {
    status: 409,
    message: "That username is taken. Choose another one.",
  },
  server_not_ready: {
    status: 409,
    message: "The server's present state does not allow this. Wait until it is active.",
  },
  limit_reached: {
    status: 409,
    message: "The account has as many of these as it may have. Remove one first.",
  },
  conflict: {
    status: 409,
    message: "Somebody or something else changed this first. Read it again before you go on.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is larger than this route takes.",
  },
  uri_too_long: {
    status: 414,
    message: "The address is longer than the service takes.",
  },
  unsupported_media_type: {
    status: 415,
    message: "Send the body as application/json in UTF-8, without a content encoding.",
  },
  expectation_failed: {
    status: 417,
    message: "The only expectation the service meets is 100-continue.",
  },
  misdirected_request: {
    status: 421,
    message: "This host name is not one of the service's own. Use the configured address.",
  },
  rate_limited: {
    status: 429,
    message: "Too many attempts. Wait as long as the retry-after header says, then try again.",
  },
  headers_too_large: {
    status: 431,
    message: "The request's headers are larger than the service takes.",
  },
  internal_error: {
    status: 500,
    message: "Something went wrong on our side. Try again; if it stays, send us the request id.",
  },
  settlement_failed: {
    status: 502,
    message: "The settlement provider answered badly; no address was made. Send it again later.",
  },
  settlement_unavailable: {
    status: 503,
    message: "No settlement provider answers for this asset; no address was made. Try again later.",
  },
  service_unavailable: {
    status: 503,
    message: "The service cannot answer right now. Try again in a moment with the same key.",
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof errors;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The one shape of every error answer. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
    readonly fields?: readonly FieldError[];
  };
}
