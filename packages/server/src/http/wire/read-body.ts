import type { IncomingMessage, ServerResponse } from "node:http";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/**
 * How much of a refused body is still read. Most clients read the answer only after they have sent the
 * body, and would otherwise see a broken connection.
 */
const maxDiscardedBytes = 8 * 1024 * 1024;

/** Reads the whole body, but never buffers more than the limit. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Result<Buffer>> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.resolve(refuse("payload_too_large"));
  // 100 Continue, now that all checks before the body have passed.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const buffer = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off("data", buffer);
      resolve(refuse("payload_too_large"));
    };
    const disconnected = () => reject(new Error("the client disconnected"));
    request.on("data", buffer);
    request.once("end", () => {
      request.off("close", disconnected);
      resolve(ok(concat(chunks)));
    });
    request.once("error", reject);
    request.once("close", disconnected);
  });
}

/** Most bodies arrive in one chunk, which needs no copy. */
function concat(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** Whether a refused body is small enough to be read and discarded. */
export function isWorthDiscarding({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) <= maxDiscardedBytes;
}

/** Reads and discards the rest of a refused body, up to the limit. */
export function discardBody(request: IncomingMessage): void {
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDiscardedBytes) request.destroy();
  });
}
