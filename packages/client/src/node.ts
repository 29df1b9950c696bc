import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { Agent, request as requestHttps, type AgentOptions, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { WireRequest } from "./wire.ts";

export interface NodeFetchOptions {
  /** The certificate authority to trust, in PEM. */
  readonly ca?: string | undefined;
  /** The SHA-256 of the service's certificate, in hex. On its own it is trusted instead of a CA. */
  readonly fingerprint256?: string | undefined;
  /** How many connections are open at most. */
  readonly connections?: number | undefined;
}

export interface NodeFetch {
  (url: string, init: WireRequest): Promise<Response>;
  /** Closes the connections that wait for another request. */
  close(): void;
}

/** No answer of the service is nearly as large. */
const mostBytes = 64 * 1024 * 1024;
const connectMs = 5_000;

/** `fetch` over node:https, with the one thing that Node's own cannot be told: whom to trust. */
export function createNodeFetch(options: NodeFetchOptions = {}): NodeFetch {
  const keeping = { keepAlive: true, maxSockets: options.connections ?? 16 };
  const secure = new TrustingAgent(keeping, options);
  const secureOnce = new TrustingAgent({ keepAlive: false }, options);
  const plain = new HttpAgent(keeping);
  const fetch = (url: string, init: WireRequest): Promise<Response> => {
    const { method, headers, body, signal, fresh } = init;
    const isSecure = url.startsWith("https:");
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const how = { method, headers: { ...headers, ...length }, signal };
    const request = isSecure
      ? requestHttps(url, { ...how, agent: fresh ? secureOnce : secure })
      : requestHttp(url, { ...how, agent: fresh ? false : plain });
    return answerOf(request, body, signal);
  };
  return Object.assign(fetch, {
    close: () => {
      secure.destroy();
      for (const agent of [secure, secureOnce]) agent.stopConnecting();
      plain.destroy();
    },
  });
}

/** Hands out connections only when it is known who is at their other end. */
class TrustingAgent extends Agent {
  readonly #fingerprint256: string | undefined;
  readonly #needsAuthority: boolean;
  /** Made once: reading the authorities takes longer than a handshake. */
  readonly #secureContext: SecureContext;
  readonly #connecting = new Set<TLSSocket>();

  constructor(keeping: AgentOptions, { ca, fingerprint256 }: NodeFetchOptions) {
    super(keeping);
    this.#fingerprint256 = fingerprint256;
    // A pinned certificate needs no authority; with both given, both must hold.
    this.#needsAuthority = ca !== undefined || fingerprint256 === undefined;
    this.#secureContext = createSecureContext(ca === undefined ? {} : { ca });
  }

  /** Nobody waits for these any longer, and they would keep the process running. */
  stopConnecting(): void {
    for (const socket of this.#connecting) socket.destroy();
  }

  override createConnection(
    { host, port }: RequestOptions,
    callback?: (error: Error | null, socket: TLSSocket) => void,
  ): undefined {
    const fingerprint256 = this.#fingerprint256;
    const name = (host ?? "").replaceAll(/^\[|\]$/g, "");
    const socket = connect({
      host: name,
      port: Number(port),
      ...(isIP(name) === 0 ? { servername: name } : {}),
      secureContext: this.#secureContext,
      rejectUnauthorized: this.#needsAuthority,
    });
    // Or a body would wait for the acknowledgement of its headers, 40 ms each time.
    socket.setNoDelay(true);
    this.#connecting.add(socket);
    for (const event of ["secureConnect", "close"]) {
      socket.once(event, () => this.#connecting.delete(socket));
    }
    const fail = (error: Error) => callback?.(Object.assign(error, { sent: false }), socket);
    socket.setTimeout(connectMs, () => socket.destroy(new ConnectTimeout()));
    socket.once("error", fail);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      const presented = socket.getPeerX509Certificate()?.fingerprint256 ?? "";
      if (fingerprint256 !== undefined && plainHex(presented) !== plainHex(fingerprint256)) {
        socket.destroy();
        fail(new UntrustedCertificate());
      } else callback?.(null, socket);
    });
  }
}

class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";
  override readonly message = "connecting took too long";
}

class UntrustedCertificate extends Error {
  readonly code = "CERT_NOT_PINNED";
  override readonly message = "The service shows another certificate than the pinned one.";
}

function plainHex(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}

function answerOf(
  request: ClientRequest,
  body: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let [isAnswered, isConnected] = [false, false];
    // A request that waits for its connection would hear of the signal only when that is there.
    const cut = () => {
      if (!isConnected) reject(Object.assign(new Error("The request was cut."), { sent: false }));
    };
    signal.addEventListener("abort", cut, { once: true });
    request.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => (isConnected = true));
      else isConnected = true;
    });
    request.once("response", (response) => {
      isAnswered = true;
      readWhole(response).then(resolve, reject);
    });
    request.once("error", (error) =>
      reject(isConnected ? error : Object.assign(error, { sent: false })),
    );
    // Such as after an upgrade that nobody asked for.
    request.once("close", () => {
      signal.removeEventListener("abort", cut);
      if (!isAnswered) reject(new Error("The connection closed without an answer."));
    });
    request.end(body);
  });
}

async function readWhole(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw new Error("The answer is too large.");
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, value] of pairs(message.rawHeaders)) headers.append(name, value);
  // Throws on a status that no answer has, which is as good as no answer.
  const status = message.statusCode ?? 0;
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers });
}

function* pairs(rawHeaders: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    yield [rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""];
  }
}
