import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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

/** Requests sent on one connection without waiting for the answers. Hardly any client sends a second. */
const maxPipelined = 32;
const pipelined = new WeakMap<Socket, number>();

/**
 * Whether a request may be served. Each that is served has its answer in memory until those before it are
 * read, and a thousand of them fit into what is read at once: without a bound, few clients fill it all.
 */
export function isBelowBound({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node gives an answer its socket when it is that answer's turn.
  if (response.socket !== null) return true;
  const count = (pipelined.get(socket) ?? 0) + 1;
  if (count > maxPipelined) {
    socket.destroy();
    return false;
  }
  pipelined.set(socket, count);
  response.once("finish", () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
  return true;
}
