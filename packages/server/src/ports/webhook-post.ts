/** A message to a customer's endpoint. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receiver's HTTP status. Null when it gave none, with the reason. */
export type WebhookAnswer =
  | { readonly status: number }
  | { readonly status: null; readonly reason: string };

/**
 * Posts a message within a bounded time, to permitted addresses only, and follows no redirect. Whatever the receiver
 * does is an answer. Rejects only when the signal aborts.
 */
export type WebhookPost = (message: WebhookMessage, signal: AbortSignal) => Promise<WebhookAnswer>;
