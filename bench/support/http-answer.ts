export interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * The answer, or undefined while part of it is missing. Parses only enough HTTP to find the end, so that
 * the benchmark measures the server and not the client.
 */
export function answerIn(bytes: Buffer): HttpAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  if (/transfer-encoding: chunked/i.test(head)) {
    // Streamed answers are JSON, which has no line breaks.
    if (!bytes.subarray(-5).equals(lastChunk)) return undefined;
    return { status, head, body: withoutChunks(bytes.toString("latin1", end + 4)) };
  }
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  return { status, head, body: bytes.toString("utf8", end + 4) };
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** The body of a streamed answer. */
function withoutChunks(text: string): string {
  let body = "";
  for (let at = 0; ;) {
    const start = text.indexOf("\r\n", at) + 2;
    const size = Number.parseInt(text.slice(at, start), 16);
    if (size === 0) return Buffer.from(body, "latin1").toString();
    body += text.slice(start, start + size);
    at = start + size + 2;
  }
}
