import { connect } from "node:tls";

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends raw bytes over TLS and reads one answer, for requests that no HTTP client would send. */
export function sendRaw(url: string, ca: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), servername: "localhost", ca });
    const chunks: Buffer[] = [];
    socket.on("secureConnect", () => socket.write(request));
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isComplete(Buffer.concat(chunks).toString("latin1"))) socket.end();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString();
      const end = text.indexOf("\r\n\r\n");
      const head = text.slice(0, end);
      resolve({ status: Number(head.split(" ")[1]), head, body: text.slice(end + 4) });
    });
  });
}

/** Helpers to write requests by hand. `service` is a function because the service starts later. */
export function rawRequests(service: () => { readonly url: string; readonly ca: string }) {
  return {
    /** Sends one request on a new connection. */
    raw: (lines: readonly string[], body = ""): Promise<RawAnswer> =>
      sendRaw(service().url, service().ca, [...lines, "connection: close", "", body].join("\r\n")),
    hostLine: (): string => `host: localhost:${new URL(service().url).port}`,
  };
}

export function codeIn({ body }: RawAnswer): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

/** Sends bytes and returns everything received until the service closes the connection. */
export function readUntilClosed(url: string, ca: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), servername: "localhost", ca });
    let text = "";
    socket.on("secureConnect", () => socket.write(request));
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1 || text.startsWith("HTTP/1.1 100")) return false;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
  return text.length >= end + 4 + length;
}
