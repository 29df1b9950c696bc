import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecurely, createSecureContext, type SecureContext } from "node:tls";

/** Where a hostile client connects to. */
export interface Target {
  readonly url: string;
  readonly ca: string;
}

/** A client that holds a connection and gives or takes as little as it can. */
export interface SlowClient {
  /** Its own end of the connection. */
  readonly port: number;
  destroy(): void;
}

/** How often the slow ones send their next byte: often enough never to be silent. */
const byteEveryMs = 500;
const get = (path: string, target: Target) =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(target.url).host}\r\n`;

/** Each way to hold on to a connection, and what opens one. */
export const slowKinds = {
  "no handshake": async (target: Target) => holding(await plainly(target)),
  "no request": async (target: Target) => holding(await securely(target)),
  "headers byte by byte": async (target: Target) =>
    dripping(await securely(target), `${get("/api/health", target)}x-slow: `),
  "a body byte by byte": async (target: Target) => {
    const head = get("/api/v1/auth/register", target).replace("GET", "POST");
    const socket = await securely(target);
    return dripping(
      socket,
      `${head}content-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
    );
  },
  "an answer that is never read": async (target: Target) => {
    const socket = await securely(target);
    socket.pause();
    // As much as may be asked for at once.
    socket.write(`${get("/api/openapi.json", target)}\r\n`.repeat(8));
    return holding(socket);
  },
  "idle after a request": openIdle,
} as const satisfies Record<string, (target: Target) => Promise<SlowClient>>;

export type SlowKind = keyof typeof slowKinds;

/** A connection that has had its answer and waits, as a browser's does. */
export async function openIdle(target: Target): Promise<SlowClient> {
  const socket = await securely(target);
  const answered = once(socket, "data");
  socket.write(`${get("/api/health", target)}\r\n`);
  await answered;
  socket.resume();
  return holding(socket);
}

async function plainly({ url }: Target): Promise<Socket> {
  const socket = connectPlain({ host: "127.0.0.1", port: Number(new URL(url).port) });
  await once(socket, "connect");
  return socket;
}

/** One for each authority: reading it takes longer than a handshake. */
const contexts = new Map<string, SecureContext>();

async function securely({ url, ca }: Target): Promise<Socket> {
  const port = Number(new URL(url).port);
  const secureContext = contexts.get(ca) ?? createSecureContext({ ca });
  contexts.set(ca, secureContext);
  const to = { host: "127.0.0.1", port, servername: "localhost" };
  const socket = connectSecurely({ ...to, secureContext });
  await once(socket, "secureConnect");
  return socket;
}

function holding(socket: Socket): SlowClient {
  // A reset is one of the ways in which the service lets go.
  socket.on("error", () => {});
  return { port: socket.localPort ?? 0, destroy: () => socket.destroy() };
}

function dripping(socket: Socket, start: string): SlowClient {
  socket.write(start);
  socket.resume();
  const timer = setInterval(() => socket.write("x"), byteEveryMs);
  socket.once("close", () => clearInterval(timer));
  return holding(socket);
}
