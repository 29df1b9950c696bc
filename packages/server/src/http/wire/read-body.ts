import type { IncomingMessage, ServerResponse } from "node:http";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/**
 * How much of a body that nobody wants is taken in all the same: a client that is still sending reads
 * the refusal only when it is done, and would see a broken connection instead.
 */
const maxDiscardedBytes = 8 * 1024 * 1024;

/** Reads the whole body, but never keeps more than the limit, however much is announced or sent. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Result<Buffer>> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.resolve(refuse("payload_too_large"));
  // Only now is a client that waits for it told to go on: everything before the body has passed.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const keep = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off("data", keep);
      resolve(refuse("payload_too_large"));
    };
    const gone = () => reject(new Error("the client has gone"));
    request.on("data", keep);
    request.once("end", () => {
      request.off("close", gone);
      resolve(ok(whole(chunks)));
    });
    request.once("error", reject);
    request.once("close", gone);
  });
}

/** Most bodies come in one piece, of which no copy is needed. */
function whole(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** Whether a body that was refused is small enough to be taken in and thrown away. */
export function isWorthDiscarding({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) <= maxDiscardedBytes;
}

/** Takes in what is left of a body that nobody wants, up to the bound. */
export function discardBody(request: IncomingMessage): void {
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDiscardedBytes) request.destroy();
  });
}
