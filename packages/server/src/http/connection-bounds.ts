import type { Server } from "node:http";

/** What a client may cost that holds a connection and does not use it. */
export interface ConnectionBounds {
  /** How many connections there are at most. */
  readonly connections: number;
  /** How long a request may take to arrive, from its first byte to its last. */
  readonly arrivalMs: number;
  /** How long nothing may move, between two requests or in an answer that nobody reads. */
  readonly silenceMs: number;
}

/** Connections that arrive in one moment and wait to be accepted; the system may allow fewer. */
export const backlog = 4_096;

/** The bounds as Node takes them when it makes a server. */
export function boundOptions({ arrivalMs, silenceMs }: ConnectionBounds) {
  return {
    // Headers are small: whoever takes most of the time for them does so on purpose.
    headersTimeout: Math.floor((arrivalMs * 2) / 3),
    requestTimeout: arrivalMs,
    // Node looks this often for what is overdue; its own half a minute would double every bound.
    connectionsCheckingInterval: Math.min(5_000, arrivalMs / 4),
    keepAliveTimeout: silenceMs,
    // Of TLS; a listener without it has none. In a burst much of this time is our own.
    handshakeTimeout: arrivalMs,
  };
}

/** What can only be said to a server that is made. */
export function bindConnections(
  server: Server,
  { connections, silenceMs }: ConnectionBounds,
): void {
  server.maxConnections = connections;
  server.timeout = silenceMs;
  // When it is full, those that wait for nothing make room for those that want something.
  server.on("drop", () => server.closeIdleConnections());
}
