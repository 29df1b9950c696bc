import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as tlsConnect, createSecureContext, type SecureContext } from "node:tls";

export interface Target {
  readonly url: string;
  readonly ca: string;
}

/** A client that keeps a connection open while sending or reading as little as possible. */
export interface SlowClient {
  /** The local port of the connection. */
  readonly port: number;
  destroy(): void;
}

/** Often enough that the service does not treat the client as silent. */
const byteEveryMs = 500;
const get = (path: string, target: Target) =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(target.url).host}\r\n`;

/** Opens a client of each slow kind. */
export const slowKinds = {
  "no handshake": async (target: Target) => slowClient(await connectTcp(target)),
  "no request": async (target: Target) => slowClient(await connectTls(target)),
  "headers byte by byte": async (target: Target) =>
    sendByteByByte(await connectTls(target), `${get("/api/health", target)}x-slow: `),
  "a body byte by byte": async (target: Target) => {
    const head = get("/api/v1/auth/register", target).replace("GET", "POST");
    const socket = await connectTls(target);
    return sendByteByByte(
      socket,
      `${head}content-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
    );
  },
  "an answer that is never read": async (target: Target) => {
    const socket = await connectTls(target);
    socket.pause();
    // Pipelined requests for a long answer, so that unread answers fill the buffers.
    socket.write(`${get("/api/openapi.json", target)}\r\n`.repeat(8));
    return slowClient(socket);
  },
  "idle after a request": openIdle,
} as const satisfies Record<string, (target: Target) => Promise<SlowClient>>;

export type SlowKind = keyof typeof slowKinds;

/** Opens a keep-alive connection that is idle after one request, as browsers do. */
export async function openIdle(target: Target): Promise<SlowClient> {
  const socket = await connectTls(target);
  const answered = once(socket, "data");
  socket.write(`${get("/api/health", target)}\r\n`);
  await answered;
  socket.resume();
  return slowClient(socket);
}

async function connectTcp({ url }: Target): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  await once(socket, "connect");
  return socket;
}

/** Cached by CA certificate, because parsing one takes longer than a handshake. */
const contexts = new Map<string, SecureContext>();

async function connectTls({ url, ca }: Target): Promise<Socket> {
  const port = Number(new URL(url).port);
  const secureContext = contexts.get(ca) ?? createSecureContext({ ca });
  contexts.set(ca, secureContext);
  const to = { host: "127.0.0.1", port, servername: "localhost" };
  const socket = tlsConnect({ ...to, secureContext });
  await once(socket, "secureConnect");
  return socket;
}

function slowClient(socket: Socket): SlowClient {
  // The service may close the connection with a reset.
  socket.on("error", () => {});
  return { port: socket.localPort ?? 0, destroy: () => socket.destroy() };
}

function sendByteByByte(socket: Socket, start: string): SlowClient {
  socket.write(start);
  socket.resume();
  const timer = setInterval(() => socket.write("x"), byteEveryMs);
  socket.once("close", () => clearInterval(timer));
  return slowClient(socket);
}
