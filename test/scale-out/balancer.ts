import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * As plain as a balancer can be: it hands each connection to the next instance in turn, and to the one
 * after when that refuses. It knows nothing of TLS, of requests or of who is about to stop.
 */
export class Balancer {
  readonly #targets: (number | undefined)[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      this.#keep(client);
      this.#turn += 1;
      this.#tryFrom(client, this.#turn, 0);
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

  /** Where the instance of that place listens from now on. */
  place(index: number, url: string): void {
    this.#targets[index] = Number(new URL(url).port);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #tryFrom(client: Socket, turn: number, refusals: number): void {
    const port = this.#targets[(turn + refusals) % this.#targets.length];
    if (port === undefined || refusals === this.#targets.length) {
      client.destroy();
      return;
    }
    const instance = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.#keep(instance);
    const next = () => this.#tryFrom(client, turn, refusals + 1);
    instance.once("error", next);
    instance.once("connect", () => {
      instance.off("error", next);
      join(client, instance);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // Whoever is at the other side is told by `join`; before that, nobody is.
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** What one side does, the other sees: bytes, an end, and a break. */
function join(client: Socket, instance: Socket): void {
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
    socket.once("error", () => other.resetAndDestroy());
    socket.once("close", () => other.destroySoon());
  }
}
