import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse, type Result, ok } from "../ports/result.ts";

/** Reads the whole body, but never more than the limit, however much is announced or sent. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Result<Buffer>> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return refuse("payload_too_large");
  // Only now is a client that waits for it told to go on: everything before the body has passed.
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return refuse("payload_too_large");
    chunks.push(chunk);
  }
  return ok(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
}
