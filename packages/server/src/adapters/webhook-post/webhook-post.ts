import type { LookupAddress } from "node:dns";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { unbracketed } from "#kernel/public-url.ts";
import type { WebhookMessage, WebhookPost } from "#ports/webhook-post.ts";
import {
  NotPermitted,
  permittedAddresses,
  systemResolve,
  type Resolve,
} from "./permitted-addresses.ts";

export interface WebhookPostOptions {
  /** Networks that may be contacted although they are not public. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  /** How long one post may take, from resolving the host to the end of the answer. */
  readonly answerMs?: number;
}

const defaultAnswerMs = 10_000;
/** The answer's body is ignored. Receivers get a chance to finish it, in bounded size and time. */
const maxBodyBytes = 64 * 1024;
const maxBodyMs = 1_000;
const maxHeaderSize = 16 * 1024;

export function createWebhookPost({
  allowed,
  resolve = systemResolve,
  answerMs = defaultAnswerMs,
}: WebhookPostOptions): WebhookPost {
  return async (message, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(answerMs)]);
    const url = new URL(message.url);
    try {
      const addresses = await orAborted(signal, permittedAddresses(url, resolve, allowed));
      return { status: await send(url, addresses, message, signal) };
    } catch (error) {
      stop.throwIfAborted();
      return { status: null, reason: reasonOf(error, signal) };
    }
  };
}

/** A lookup cannot be aborted, so its result is ignored instead. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Connects only to the checked addresses. The certificate is still checked against the host name. */
function send(
  url: URL,
  addresses: readonly LookupAddress[],
  { headers, body }: WebhookMessage,
  signal: AbortSignal,
): Promise<number> {
  const open = url.protocol === "https:" ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request: ClientRequest = open({
    hostname: unbracketed(url.hostname),
    port: url.port,
    path: url.pathname + url.search,
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    // A connection of its own, so that none outlives the check of its address.
    agent: false,
    lookup: pinnedTo(addresses),
    maxHeaderSize,
    signal,
  });
  request.on("error", reject);
  request.on("response", (response) => {
    const { statusCode = 0 } = response;
    discard(response, () => resolve(statusCode));
  });
  request.end(body);
  return promise;
}

function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function discard(response: IncomingMessage, onEnd: () => void): void {
  let bytes = 0;
  const overdue = setTimeout(() => response.destroy(), maxBodyMs);
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) response.destroy();
  });
  // The status has arrived, so it does not matter how the body ends.
  response.on("error", () => {});
  response.on("close", () => {
    clearTimeout(overdue);
    onEnd();
  });
}

/** The system's code alone: messages of errors can name addresses. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "timeout";
  if (error instanceof NotPermitted) return error.message;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "error";
}
