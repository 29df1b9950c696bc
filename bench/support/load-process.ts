import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { answerIn } from "./http-answer.ts";

/**
 * Sends requests over and over on many keep-alive connections and counts the answers; several servers
 * take turns, a slice each, so that a machine which grows slower for a while does so for all of them.
 * Runs as a process of its own, which is told what to do, and tells what came of it, again and again.
 */
interface Task {
  readonly targets: readonly Target[];
  readonly connections: number;
  /** For each of them. */
  readonly seconds: number;
}

interface Target {
  readonly port: number;
  /** Each connection sends one of them. `%KEY%` in it is a different key each time. */
  readonly requests: readonly string[];
  /** Whom to trust; undefined without TLS. */
  readonly ca?: string;
}

let keys = 0;

/** One server, and what came of asking it. */
class Asked {
  readonly #target: Target;
  readonly #latencies: number[] = [];
  #sockets: readonly Socket[] = [];
  #isOver = true;
  #elapsedMs = 0;
  #wrong = 0;
  #last = { head: "", body: "" };

  constructor(target: Target) {
    this.#target = target;
  }

  async connect(connections: number): Promise<void> {
    this.#sockets = await Promise.all(
      Array.from({ length: connections }, () => connected(this.#target)),
    );
  }

  /** All connections send again with every answer until the time is up, and read their last answers. */
  async slice(ms: number): Promise<void> {
    const startedAt = performance.now();
    this.#isOver = false;
    stayAwake(() => this.#isOver);
    setTimeout(() => (this.#isOver = true), ms);
    const { requests } = this.#target;
    await Promise.all(
      this.#sockets.map((socket, index) =>
        this.#ask(socket, bytesOf(requests[index % requests.length] ?? "")),
      ),
    );
    this.#elapsedMs += performance.now() - startedAt;
  }

  told() {
    for (const socket of this.#sockets) socket.destroy();
    const latencies = this.#latencies.toSorted((a, b) => a - b);
    const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
    return {
      perSecond: (latencies.length / this.#elapsedMs) * 1_000,
      ...{ p50: at(0.5), p99: at(0.99), wrong: this.#wrong, last: this.#last },
    };
  }

  async #ask(socket: Socket, nextBytes: () => Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let sentAt = 0;
    let pending: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(nextBytes());
    };
    const take = (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const answer = answerIn(pending);
      if (answer === undefined) return;
      if (answer.status >= 300) this.#wrong += 1;
      this.#last = answer;
      pending = Buffer.alloc(0);
      this.#latencies.push(performance.now() - sentAt);
      if (this.#isOver) resolve();
      else send();
    };
    const fail = () => reject(new Error("the server ended the connection"));
    socket.on("data", take).once("close", fail);
    send();
    await promise;
    socket.off("data", take).off("close", fail);
  }
}

/** The request's bytes, with another key each time. */
function bytesOf(request: string): () => Buffer {
  const bytes = Buffer.from(request);
  if (!request.includes("%KEY%")) return () => bytes;
  return () => {
    const key = `${process.pid}-${Date.now()}-${(keys += 1)}`;
    return Buffer.from(request.replace("%KEY%", key));
  };
}

function connected({ port, ca }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const isPlain = ca === undefined;
    const socket = isPlain
      ? connect(port, "127.0.0.1")
      : connectTls({ port, host: "127.0.0.1", ca });
    socket.setNoDelay(true);
    socket.once(isPlain ? "connect" : "secureConnect", () => resolve(socket));
    socket.once("error", reject);
  });
}

/**
 * Keeps this process awake. One that sleeps between answers has to be woken by the server's write,
 * which on a virtual machine costs more than the request, and more often the slower the server is.
 */
function stayAwake(isOver: () => boolean): void {
  if (!isOver()) setImmediate(() => stayAwake(isOver));
}

async function perform({ targets, connections, seconds }: Task) {
  // Slices of a tenth of a second. One that is alone has nobody to take turns with.
  const turns = targets.length === 1 ? 1 : Math.max(1, Math.round(seconds * 10));
  const asked = targets.map((target) => new Asked(target));
  for (const one of asked) await one.connect(connections);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of asked) await one.slice((seconds * 1_000) / turns);
  }
  return asked.map((one) => one.told());
}

process.on("message", (task: Task) => {
  void perform(task).then((told) => process.send?.(told));
});
