import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { Agent, request as requestHttps, type AgentOptions, type RequestOptions } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { openTunnel } from "./tunnel.ts";
import type { WireRequest } from "./wire.ts";

export { openTunnel };

export interface NodeFetchOptions {
  /** The certificate authority to trust, as PEM. */
  readonly ca?: string | undefined;
  /** The SHA-256 fingerprint of the service's certificate, in hex. Without `ca` it replaces the CA check. */
  readonly fingerprint256?: string | undefined;
  /** Maximum number of open connections. */
  readonly connections?: number | undefined;
  /** Address of an HTTP proxy for HTTPS. The service's certificate is verified through it. */
  readonly proxy?: string | undefined;
}

export interface NodeFetch {
  (url: string, init: WireRequest): Promise<Response>;
  /** Closes idle connections. */
  close(): void;
}

/** Far larger than any response of the service. */
const mostBytes = 64 * 1024 * 1024;
const connectMs = 5_000;

/** `fetch` over node:https with configurable trust, which Node's own fetch does not offer. */
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

interface Destination {
  readonly name: string;
  readonly port: number;
  /** A connection through a proxy. */
  readonly tunnel?: Socket;
}

type Connected = (error: Error | null, socket: TLSSocket) => void;

/** Verifies the server certificate before it returns a connection. */
class TrustingAgent extends Agent {
  readonly #fingerprint256: string | undefined;
  readonly #needsAuthority: boolean;
  /** Created once, because parsing the authorities takes longer than a handshake. */
  readonly #secureContext: SecureContext;
  readonly #proxy: string | undefined;
  readonly #connecting = new Set<Socket>();

  constructor(keeping: AgentOptions, { ca, fingerprint256, proxy }: NodeFetchOptions) {
    super(keeping);
    this.#proxy = proxy;
    this.#fingerprint256 = fingerprint256;
    // A pinned certificate needs no authority. If both are given, both must match.
    this.#needsAuthority = ca !== undefined || fingerprint256 === undefined;
    this.#secureContext = createSecureContext(ca === undefined ? {} : { ca });
  }

  /** Pending connections would keep the process running. */
  stopConnecting(): void {
    for (const socket of this.#connecting) socket.destroy();
  }

  override createConnection({ host, port }: RequestOptions, callback?: Connected): undefined {
    const name = (host ?? "").replaceAll(/^\[|\]$/g, "");
    const destination = { name, port: Number(port) };
    if (this.#proxy === undefined) this.#connect(destination, callback);
    else void this.#connectThrough(this.#proxy, destination, callback);
    return undefined;
  }

  async #connectThrough(
    proxy: string,
    destination: Destination,
    callback?: Connected,
  ): Promise<void> {
    try {
      const tunnel = await openTunnel(proxy, destination.name, destination.port);
      this.#connect({ ...destination, tunnel }, callback);
    } catch (error) {
      callback?.(Object.assign(error as Error, { sent: false }), undefined as never);
    }
  }

  #connect({ name, port, tunnel }: Destination, callback?: Connected): void {
    const fingerprint256 = this.#fingerprint256;
    const socket = connect({
      ...(tunnel === undefined ? { host: name, port } : { socket: tunnel }),
      ...(isIP(name) === 0 ? { servername: name } : {}),
      secureContext: this.#secureContext,
      rejectUnauthorized: this.#needsAuthority,
    });
    // Without this, Nagle's algorithm delays each body by 40 ms.
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
  override readonly message = "connecting timed out";
}

class UntrustedCertificate extends Error {
  readonly code = "CERT_NOT_PINNED";
  override readonly message = "The service's certificate does not match the pinned fingerprint.";
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
    // A request that is still waiting for a connection would otherwise ignore the signal.
    const cut = () => {
      if (!isConnected)
        reject(Object.assign(new Error("The request was aborted."), { sent: false }));
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
    // For example after an unexpected upgrade.
    request.once("close", () => {
      signal.removeEventListener("abort", cut);
      if (!isAnswered) reject(new Error("The connection closed without a response."));
    });
    request.end(body);
  });
}

async function readWhole(message: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw new Error("The response is too large.");
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, value] of pairs(message.rawHeaders)) headers.append(name, value);
  // Throws on an invalid status, which counts as no response.
  const status = message.statusCode ?? 0;
  return new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers });
}

function* pairs(rawHeaders: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    yield [rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""];
  }
}
