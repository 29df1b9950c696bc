import type { Call } from "./call.ts";
import type { Credentials } from "./credentials.ts";
import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import type { Sent } from "./judge.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { readAnswer, retryAfterOf } from "./read-answer.ts";
import type { SessionKeeper } from "./session.ts";
import { exchange, isUnsent, isUntrusted, type Fetch, type WireRequest } from "./wire.ts";

export interface Sender {
  readonly baseUrl: URL;
  readonly fetch: Fetch;
  readonly retryPolicy: RetryPolicy;
  readonly userAgent: string | undefined;
  readonly keeper: SessionKeeper;
  readonly credentials: Credentials;
}

/** The caller aborted. `isSent`: the request may have been sent before that. */
export interface Aborted {
  readonly kind: "aborted";
  readonly reason: unknown;
  readonly isSent: boolean;
}

/** Makes one attempt. */
export async function send(sender: Sender, call: Call): Promise<Sent | Aborted> {
  const { fetch, baseUrl, retryPolicy, keeper } = sender;
  const { row, composed, signal } = call;
  const { clock } = retryPolicy;
  const timeoutMs = Math.max(1, Math.min(call.timeoutMs, call.deadlineAt - clock.now()));
  const url = `${baseUrl.origin}${baseUrl.pathname.replace(/\/$/, "")}${composed.path}`;
  const request = requestOf(sender, call);
  const received = await exchange(fetch, url, request, { clock, timeoutMs, signal });

  const what = `${row.method} ${row.path}`;
  if (received.kind === "aborted") return received;
  if (received.kind === "timeout") {
    const { isSent } = received;
    return lost(new TimeoutError(`${what}: no response in time`, call), { isUnsent: !isSent });
  }
  if (received.kind === "failed") {
    const { error: cause } = received;
    const error = new ConnectionError(`${what}: the connection failed`, call, cause);
    return lost(error, { isUnsent: isUnsent(cause), isUntrusted: isUntrusted(cause) });
  }
  const { answer, bytes } = received;
  const read = readAnswer(row, answer, bytes);
  if (read.kind === "refusal") return { kind: "refused", error: new ApiError(read.refusal, call) };
  if (read.kind === "unreadable") {
    const error = new ConnectionError(`${what}: ${read.why}`, call);
    return lost(error, { retryAfterSeconds: retryAfterOf(answer) });
  }
  if (row.cookies === "set" && !keeper.signedIn(answer, read.body)) {
    return lost(new ConnectionError(`${what}: the response has no session cookies`, call));
  }
  return { kind: "answered", body: read.body, details: read.details };
}

function lost(
  error: ConnectionError,
  more: Partial<
    Pick<Sent & { kind: "lost" }, "isUnsent" | "isUntrusted" | "retryAfterSeconds">
  > = {},
): Sent {
  const { isUnsent = false, isUntrusted = false, retryAfterSeconds } = more;
  return { kind: "lost", error, isUnsent, isUntrusted, retryAfterSeconds };
}

function requestOf({ credentials, userAgent }: Sender, call: Call): Omit<WireRequest, "signal"> {
  const { row, composed, key, ifMatch, signIn } = call;
  const { method, body } = composed;
  return {
    method,
    headers: {
      accept: "application/json",
      ...credentials.headers(signIn, method !== "GET"),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    },
    ...(body === undefined ? {} : { body }),
    credentials: credentials.mode,
    redirect: "error",
    cache: "no-store",
    fresh: row.resend === "never",
  };
}
