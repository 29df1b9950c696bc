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
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  return { status: Number(head.slice(9, 12)), head, body: bytes.toString("utf8", end + 4) };
}
