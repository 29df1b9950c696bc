import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limits the cost of clients that open connections and do not use them. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Time for a request to arrive, from its first byte to its last. */
  readonly requestTimeoutMs: number;
  /** Time without traffic, between two requests or while the client does not read a response. */
  readonly idleTimeoutMs: number;
}

/** Connections that may wait to be accepted during a burst. The operating system may allow fewer. */
export const backlog = 4_096;

/** The limits that Node takes as options of `createServer`. */
export function timeoutOptions({ requestTimeoutMs, idleTimeoutMs }: ConnectionLimits) {
  return {
    // Headers are small, so two thirds of the time is ample for any honest client.
    headersTimeout: Math.floor((requestTimeoutMs * 2) / 3),
    requestTimeout: requestTimeoutMs,
    // How often Node closes overdue connections. Its default of 30 s would double the time limit.
    connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs / 4),
    keepAliveTimeout: idleTimeoutMs,
    // Applies to TLS only. In a burst of connections, the server itself causes much of the delay.
    handshakeTimeout: requestTimeoutMs,
  };
}

/** Sets the limits that Node accepts only on an existing server. */
export function limitConnections(
  server: Server,
  { maxConnections, idleTimeoutMs }: ConnectionLimits,
): void {
  server.maxConnections = maxConnections;
  server.timeout = idleTimeoutMs;
  // At the limit, idle connections make room for new ones.
  server.on("drop", () => server.closeIdleConnections());
}

/** Requests pipelined on one connection. Few clients pipeline at all. */
const maxPipelined = 32;
const pipelined = new WeakMap<Socket, number>();

/**
 * Closes the connection and returns false if too many pipelined requests wait. Each response stays in
 * memory until the client has read those before it, and one read can contain a thousand requests, so a
 * few clients could exhaust the memory.
 */
export function admitPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node assigns the socket to a response when all responses before it are sent.
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
