import { connect, type Socket } from "node:net";
import { answerIn } from "./http-answer.ts";

export interface SendResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends each request once over the given number of connections. Throws if an answer is not 2xx. */
export async function sendAll(
  port: number,
  requests: readonly string[],
  connections: number,
): Promise<SendResult> {
  const latencies: number[] = [];
  const opened = await Promise.all(
    Array.from({ length: connections }, () => Connection.open(port)),
  );
  const left = requests.values();
  const startedAt = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      for (const request of left) {
        const sentAt = performance.now();
        await connection.send(request);
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const connection of opened) connection.close();
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { perSecond: requests.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** A keep-alive connection that sends one request at a time. */
export class Connection {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(port: number): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    socket.once("connect", resolve).once("error", reject);
    await promise;
    return new Connection(socket.off("error", reject));
  }

  async send(request: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let pending: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const answer = answerIn(pending);
      if (answer === undefined) return;
      if (answer.status < 300) resolve();
      else reject(new Error(`${request.split("\r\n", 1)[0]} was answered with ${answer.body}`));
    };
    const fail = () => reject(new Error("the server ended the connection"));
    this.#socket.on("data", take).once("close", fail).write(request);
    try {
      await promise;
    } finally {
      this.#socket.off("data", take).off("close", fail);
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
