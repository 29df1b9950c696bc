/** An answer as received. */
export interface WireAnswer {
  readonly status: number;
  readonly statusLine: string;
  /** In the order received, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The bytes are not HTTP, or not in the form that the service sends. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
}

export interface Taken {
  readonly answer: WireAnswer;
  readonly rest: Buffer;
}

/**
 * Parses the first answer in the bytes. Returns undefined while it is incomplete, and skips interim answers.
 * Stricter than a client must be: every answer of the service has a content length, or is streamed in chunks. Versions
 * before HTTP/1.1 know no chunks, so a streamed answer to them ends with the connection.
 */
export function takeAnswer(
  bytes: Buffer,
  method: string | undefined,
  hasEnded = false,
): Taken | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]+$/.exec(statusLine)?.[1]);
  if (Number.isNaN(status))
    throw new MalformedAnswer(`invalid status line: ${statusLine.slice(0, 200)}`);
  if (status === 100) return takeAnswer(bytes.subarray(headEnd + 4), method, hasEnded);
  const headers = lines.map(headerIn);
  const start = headEnd + 4;
  if (headers.some(([name]) => name === "transfer-encoding")) {
    const chunked =
      method === "HEAD" ? { body: Buffer.alloc(0), end: start } : chunksAt(bytes, start);
    if (chunked === undefined) return undefined;
    const { body, end } = chunked;
    return { answer: { status, statusLine, headers, body }, rest: bytes.subarray(end) };
  }
  if (method === "GET" && endsWithConnection(headers)) {
    if (!hasEnded) return undefined;
    const body = bytes.subarray(start);
    return { answer: { status, statusLine, headers, body }, rest: Buffer.alloc(0) };
  }
  const length = lengthOf(status, headers, method);
  const end = start + (method === "HEAD" && !isAnswerToUnparsed({ statusLine }) ? 0 : length);
  if (bytes.length < end) return undefined;
  return {
    answer: { status, statusLine, headers, body: bytes.subarray(start, end) },
    rest: bytes.subarray(end),
  };
}

/** A request that the parser refuses has no method, so its answer has a body even if it began with HEAD. */
export function isAnswerToUnparsed({ statusLine }: Pick<WireAnswer, "statusLine">): boolean {
  return statusLine.endsWith(" Refused");
}

function headerIn(line: string): readonly [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e]*)$/.exec(line);
  if (match === null) throw new MalformedAnswer(`invalid header: ${line.slice(0, 200)}`);
  return [(match[1] ?? "").toLowerCase(), match[2] ?? ""];
}

/** Undefined while the last chunk is missing. */
function chunksAt(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = bytes.toString("latin1", at, lineEnd);
    if (!/^[\da-f]{1,8}$/.test(size))
      throw new MalformedAnswer(`invalid chunk: ${size.slice(0, 50)}`);
    const chunk = lineEnd + 2;
    const end = chunk + Number.parseInt(size, 16);
    if (bytes.length < end + 2) return undefined;
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") throw new MalformedAnswer("open chunk");
    at = end + 2;
    if (end === chunk) return { body: Buffer.concat(chunks), end: at };
    chunks.push(bytes.subarray(chunk, end));
  }
}

function endsWithConnection(headers: WireAnswer["headers"]): boolean {
  return (
    headers.every(([name]) => name !== "content-length") &&
    headers.some(([name, value]) => name === "connection" && value === "close")
  );
}

function lengthOf(
  status: number,
  headers: WireAnswer["headers"],
  method: string | undefined,
): number {
  const lengths = headers.filter(([name]) => name === "content-length").map(([, value]) => value);
  // Node sends neither a length nor chunks when it answers HEAD where GET would stream.
  if ((status === 204 || method === "HEAD") && lengths.length === 0) return 0;
  if (lengths.length !== 1) throw new MalformedAnswer(`${lengths.length} content-length headers`);
  return Number(lengths[0]);
}

export function headerOf({ headers }: WireAnswer, wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}
