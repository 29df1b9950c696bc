/** An answer as far as a benchmark reads it. */
export interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * The answer that has arrived, once all of it has. It knows just enough HTTP to find the end of one, so
 * that the server and not the client is measured.
 */
export function answerIn(bytes: Buffer): HttpAnswer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  return { status: Number(head.slice(9, 12)), head, body: bytes.toString("utf8", end + 4) };
}
