/**
 * Every error code with its status and default message. A message says what is wrong, then what to
 * do. A use case may send a more precise message with the same code.
 */
export const errors = {
  validation_failed: {
    status: 400,
    message: "Some fields are invalid. Fix the fields listed in this response and retry.",
  },
  invalid_json: {
    status: 400,
    message: "The body is not valid JSON. Send one JSON object in UTF-8 without duplicate keys.",
  },
  idempotency_key_required: {
    status: 400,
    message:
      "This request needs an Idempotency-Key header. Generate one key per intent and reuse it for retries.",
  },
  idempotency_key_invalid: {
    status: 400,
    message:
      "The Idempotency-Key header must be 8 to 100 letters, digits, hyphens or underscores. Send it once.",
  },
  bad_request: {
    status: 400,
    message: "Malformed HTTP request. Check the request line and the headers.",
  },
  authentication_required: {
    status: 401,
    message: "Sign in, or send a valid API key.",
  },
  session_invalid: {
    status: 401,
    message: "The session and CSRF cookies do not match. Sign in again.",
  },
  invalid_credentials: {
    status: 401,
    message: "The credentials are incorrect. Check them and try again.",
  },
  csrf_failed: {
    status: 403,
    message:
      "The CSRF token is missing or invalid. Send the csrfToken of this session in the x-csrf-token header, once.",
  },
  origin_rejected: {
    status: 403,
    message:
      "This request came from another site. Use the service's own pages, or omit the Origin header.",
  },
  api_key_forbidden: {
    status: 403,
    message: "API keys are read-only. Sign in to make changes.",
  },
  insufficient_scope: {
    status: 403,
    message:
      "The scope of this API key does not allow this request. Use a key with another scope, or sign in.",
  },
  account_frozen: {
    status: 403,
    message:
      "This account is frozen. You can still read data, sign out, revoke access and write to the operators.",
  },
  role_forbidden: {
    status: 403,
    message: "Your role does not allow this. Ask an operator whose role does.",
  },
  second_factor_required: {
    status: 403,
    message: "Your second factor is required. Send its code when you sign in, or set it up first.",
  },
  not_found: {
    status: 404,
    message: "Not found. Check the path and the id.",
  },
  method_not_allowed: {
    status: 405,
    message:
      "This path does not support that method. The Allow header lists the methods it supports.",
  },
  insufficient_balance: {
    status: 409,
    message: "Insufficient balance. Deposit first, then retry with the same Idempotency-Key.",
  },
  capacity_exhausted: {
    status: 409,
    message:
      "Not enough machines of this configuration are free in this region. Order fewer, or choose another region.",
  },
  idempotency_conflict: {
    status: 409,
    message:
      "This Idempotency-Key has already been used. Check your records before you send a new key.",
  },
  account_not_empty: {
    status: 409,
    message:
      "The account still has servers or money. End the servers and withdraw the balance, then close the account.",
  },
  username_taken: {
    status: 409,
    message: "This username is taken. Choose another.",
  },
  server_not_ready: {
    status: 409,
    message: "The server's current state does not allow this. Wait until it is active.",
  },
  limit_reached: {
    status: 409,
    message: "The account has reached its limit. Remove one first.",
  },
  conflict: {
    status: 409,
    message: "This changed in the meantime. Read it again before you continue.",
  },
  destination_not_allowed: {
    status: 409,
    message:
      "Withdrawals are locked. Send to a saved withdrawal address that is usable, or unlock withdrawals, which takes 48 hours.",
  },
  quote_changed: {
    status: 409,
    message:
      "This is not the current quote, or it has expired. Read the server again before you accept.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is too large. Send a smaller one.",
  },
  uri_too_long: {
    status: 414,
    message: "The URL is too long. Send a shorter one.",
  },
  unsupported_media_type: {
    status: 415,
    message: "Send the body as application/json in UTF-8, without a content encoding.",
  },
  expectation_failed: {
    status: 417,
    message: "The only supported Expect header is 100-continue.",
  },
  misdirected_request: {
    status: 421,
    message: "This host name is not configured for the service. Use the configured address.",
  },
  rate_limited: {
    status: 429,
    message:
      "Too many attempts. Wait the number of seconds in the Retry-After header, then try again.",
  },
  headers_too_large: {
    status: 431,
    message: "The request headers are too large. Send fewer or shorter headers.",
  },
  internal_error: {
    status: 500,
    message: "Internal error. Try again. If it persists, contact support with the request id.",
  },
  settlement_failed: {
    status: 502,
    message: "The settlement provider failed, and no address was created. Try again later.",
  },
  settlement_unavailable: {
    status: 503,
    message:
      "No settlement provider is available for this asset, and no address was created. Try again later.",
  },
  service_unavailable: {
    status: 503,
    message:
      "The service is temporarily unavailable. Try again shortly, with the same Idempotency-Key if you sent one.",
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof errors;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly requestId: string;
    readonly fields?: readonly FieldError[];
  };
}
