import type { Socket } from "node:net";

/**
 * Resets the TCP connection. `stream` is what writes to it, if that is a TLS socket. Node cannot reset a connection
 * that is shutting down: the handle would stay open, and the process would never exit. Such a connection is closed.
 */
export function resetConnection(raw: Socket, stream: Socket = raw): void {
  if (stream.writableEnded) stream.destroy();
  else raw.resetAndDestroy();
}
