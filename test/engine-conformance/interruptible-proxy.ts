import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";
import { findFreePort } from "#test/free-port.ts";

/** A proxy in front of PostgreSQL that simulates restarts, network failures and a server that hangs. */
export interface InterruptibleProxy {
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>;
  /** Forwards new connections to another server, like an address that moves in a failover. */
  moveTo(target: string): void;
  /** Stops forwarding on the open connections without closing them. */
  silence(): void;
  /** Like `silence`, and also accepts new connections without answering, like a stopped process. */
  freeze(): void;
  /** Answers new connections again. */
  thaw(): void;
  /** Delays every `commit`, like a server that waits for its standby. */
  holdCommits(): void;
  releaseCommits(): void;
}

/** As the driver sends it, with the terminating zero byte. */
const commitMessage = Buffer.from("commit\0");

export async function proxyTo(target: string): Promise<InterruptibleProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let released = Promise.resolve();
  let release = () => {};
  const heldCommits = () =>
    new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        if (chunk.includes(commitMessage)) void released.then(() => pass(null, chunk));
        else pass(null, chunk);
      },
    });
  let isFrozen = false;
  const accept = (client: Socket) => {
    if (isFrozen) {
      sockets.add(client);
      client.on("error", () => {}).on("close", () => sockets.delete(client));
      return;
    }
    const server = connect({ host: hostname, port: Number(port || 5432) });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(heldCommits()).pipe(server);
    server.pipe(client);
  };
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const ownPort = await findFreePort();
  let listener = await listen(accept, ownPort);
  const url = new URL(target);
  url.host = `127.0.0.1:${ownPort}`;
  return {
    url: url.href,
    cut: async () => {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: async () => {
      listener = await listen(accept, ownPort);
    },
    moveTo: (other) => {
      ({ hostname, port } = new URL(other));
    },
    silence,
    freeze: () => {
      isFrozen = true;
      silence();
    },
    thaw: () => {
      isFrozen = false;
    },
    holdCommits: () => {
      ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    },
    releaseCommits: () => release(),
  };
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const listener = createServer(accept).listen(port, "127.0.0.1");
  await once(listener, "listening");
  return listener;
}
