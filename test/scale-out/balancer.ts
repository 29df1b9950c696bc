import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { resetConnection } from "#test/reset-connection.ts";

/**
 * A round-robin TCP load balancer. When an instance refuses the connection, it tries the next one. It does
 * not terminate TLS, read requests or know which instance is about to stop.
 */
export class Balancer {
  readonly #targets: (number | undefined)[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      this.#track(client);
      this.#connections += 1;
      this.#connectToInstance(client, this.#connections, 0);
    });
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 });
    await once(balancer.#server, "listening");
    return balancer;
  }

  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  setTarget(index: number, url: string): void {
    this.#targets[index] = Number(new URL(url).port);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #connectToInstance(client: Socket, connection: number, refusals: number): void {
    const port = this.#targets[(connection + refusals) % this.#targets.length];
    if (port === undefined || refusals === this.#targets.length) {
      client.destroy();
      return;
    }
    const instance = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.#track(instance);
    const next = () => this.#connectToInstance(client, connection, refusals + 1);
    instance.once("error", next);
    instance.once("connect", () => {
      instance.off("error", next);
      connectSockets(client, instance);
    });
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // `connectSockets` passes errors on to the peer. Before that, there is no peer.
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Forwards bytes, end of stream and resets in both directions. */
function connectSockets(client: Socket, instance: Socket): void {
  if (client.destroyed) {
    instance.destroy();
    return;
  }
  client.pipe(instance);
  instance.pipe(client);
  for (const [socket, other] of [
    [client, instance],
    [instance, client],
  ] as const) {
    socket.once("error", () => resetConnection(other));
    socket.once("close", () => other.destroySoon());
  }
}
