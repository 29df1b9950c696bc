import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type TLSSocket } from "node:tls";
import { isIP } from "node:net";
import { traceHeaders } from "#kernel/concurrency/trace.ts";
import {
  ControllerRefused,
  ControllerSilent,
  ControllerUnreachable,
  type ControllerCalls,
  type ControllerTarget,
} from "#ports/controllers.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface RedfishAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  /** Empty when the answer has no JSON object. */
  readonly body: Fields;
}

export interface RedfishHttp {
  get(path: string, observe?: (body: Fields) => string | null): Promise<RedfishAnswer>;
  /** Returns answers up to 499. A 5xx may have taken effect, so it throws `ControllerSilent`. */
  send(method: "POST" | "PATCH", path: string, body: object, etag?: string): Promise<RedfishAnswer>;
}

interface Sent {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: string | undefined;
  readonly etag?: string | undefined;
}

const maxAnswerBytes = 1024 * 1024;

/** Sends requests to one controller, each on its own connection, and records every exchange. */
export function createRedfishHttp(target: ControllerTarget, calls: ControllerCalls): RedfishHttp {
  const exchange = async (
    sent: Sent,
    observe: (body: Fields) => string | null,
  ): Promise<RedfishAnswer> => {
    const request = sent.body === undefined ? named(sent) : `${named(sent)} ${sent.body}`;
    const signal = AbortSignal.any([calls.signal, AbortSignal.timeout(calls.callMs)]);
    const answer = await send(target, sent, signal).catch(async (error: unknown) => {
      if (error instanceof ControllerSilent || error instanceof ControllerUnreachable) {
        await calls.record({ request, answer: error.message, observed: null });
      }
      throw error;
    });
    const observed = answer.status < 300 ? observe(answer.body) : messageIn(answer.body);
    await calls.record({ request, answer: String(answer.status), observed });
    return judged(sent, answer);
  };
  return {
    get: async (path, observe = () => null) => {
      const first = await exchange({ method: "GET", path }, observe);
      if (first.status !== 404 || path.endsWith("/")) return found(path, first);
      // Some controllers know their resources only with a trailing slash.
      return found(path, await exchange({ method: "GET", path: `${path}/` }, observe));
    },
    send: (method, path, body, etag) =>
      exchange({ method, path, body: JSON.stringify(body), etag }, () => null),
  };
}

function named({ method, path }: Sent): string {
  return `${method} ${path}`;
}

function judged(sent: Sent, answer: RedfishAnswer): RedfishAnswer {
  const { status } = answer;
  if (status === 401 || status === 403) {
    throw new ControllerRefused(
      `The controller refused the username or password (${status}). Set the controller again with the right ones.`,
    );
  }
  if (status >= 500) throw new ControllerSilent(`${named(sent)} was answered with ${status}.`);
  if (status >= 300 && status < 400) {
    throw new ControllerRefused(`${named(sent)} was redirected, which is never followed.`);
  }
  return answer;
}

function found(path: string, answer: RedfishAnswer): RedfishAnswer {
  if (answer.status >= 300) throw new NotThere(`GET ${path} was answered with ${answer.status}.`);
  return answer;
}

/** The controller has no such resource. */
export class NotThere extends ControllerRefused {}

/** The controller's own words about a refused request. */
function messageIn(body: Fields): string | null {
  const { error } = body as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? error.message.slice(0, 200) : null;
}

async function send(
  target: ControllerTarget,
  sent: Sent,
  signal: AbortSignal,
): Promise<RedfishAnswer> {
  const socket = await openSocket(target, signal);
  try {
    const response = await respond(target, socket, sent, signal);
    const text = await readText(response);
    return { status: response.statusCode ?? 0, etag: response.headers.etag, body: fieldsIn(text) };
  } catch (error) {
    if (error instanceof ControllerSilent) throw error;
    const why = signal.aborted ? "did not answer in time" : "closed the connection";
    throw new ControllerSilent(`The controller ${why}${codeIn(error)}.`, { cause: error });
  } finally {
    socket.destroy();
  }
}

/** Checks the certificate before a byte of the request, and so of the password, is sent. */
async function openSocket(
  { address, certificateSha256 }: ControllerTarget,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { hostname, port } = new URL(address);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  if (isIP(host) === 0)
    throw new ControllerRefused("The controller's address is not an IP address.");
  const isPinned = certificateSha256 !== null;
  const opened = Promise.withResolvers<void>();
  const socket = connect({
    host,
    port: port === "" ? 443 : Number(port),
    // A pinned certificate replaces the check of its issuer and name.
    rejectUnauthorized: !isPinned,
  });
  const onAbort = (): void => opened.reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  socket.once("secureConnect", opened.resolve).on("error", opened.reject);
  socket.once("close", () => opened.reject(new Error("closed")));
  try {
    if (signal.aborted) throw signal.reason;
    await opened.promise;
  } catch (error) {
    socket.destroy();
    throw new ControllerUnreachable(
      `The controller cannot be reached${codeIn(error)}. Check its address, network and certificate.`,
      { cause: error },
    );
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  const seen = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(":", "").toLowerCase();
  if (isPinned && seen !== certificateSha256) {
    socket.destroy();
    throw new ControllerUnreachable(
      `The controller has another certificate (SHA-256 ${seen ?? "none"}) than the pinned one. Nothing was sent to it.`,
    );
  }
  return socket;
}

function respond(
  { address, username, credential }: ControllerTarget,
  socket: TLSSocket,
  { method, path, body, etag }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const authorization = Buffer.from(`${username}:${credential}`).toString("base64");
  const request = httpRequest({
    createConnection: () => socket,
    method,
    path,
    signal,
    headers: {
      host: new URL(address).host,
      accept: "application/json",
      authorization: `Basic ${authorization}`,
      connection: "close",
      ...traceHeaders(),
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      }),
      ...(etag !== undefined && { "if-match": etag }),
    },
  });
  request.once("response", resolve).on("error", reject);
  request.end(body);
  return promise;
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      throw new ControllerSilent(`The controller answered with more than ${maxAnswerBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function fieldsIn(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** The system's code alone, because messages can contain anything. */
function codeIn(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? ` (${code})` : "";
}
