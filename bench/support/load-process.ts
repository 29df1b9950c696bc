import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { answerIn } from "./http-answer.ts";

/**
 * A load generator in its own process. It receives a task as a message, sends requests repeatedly on
 * keep-alive connections, and answers with the measurements. It alternates between the targets, so that a
 * temporary slowdown of the machine affects all of them.
 */
interface Task {
  readonly targets: readonly Target[];
  readonly connections: number;
  /** For each target. */
  readonly seconds: number;
}

interface Target {
  readonly port: number;
  /** Each connection repeats one of them. `%KEY%` becomes a new idempotency key each time. */
  readonly requests: readonly string[];
  /** The CA certificate to trust; undefined without TLS. */
  readonly ca?: string;
}

let keys = 0;

/** The connections to one target, and their measurements. */
class TargetLoad {
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

  /** Every connection sends the next request as soon as it has an answer, until the time is up. */
  async slice(ms: number): Promise<void> {
    const startedAt = performance.now();
    this.#isOver = false;
    stayAwake(() => this.#isOver);
    setTimeout(() => (this.#isOver = true), ms);
    const { requests } = this.#target;
    await Promise.all(
      this.#sockets.map((socket, index) =>
        this.#sendRepeatedly(socket, bytesOf(requests[index % requests.length] ?? "")),
      ),
    );
    this.#elapsedMs += performance.now() - startedAt;
  }

  result() {
    for (const socket of this.#sockets) socket.destroy();
    const latencies = this.#latencies.toSorted((a, b) => a - b);
    const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
    return {
      perSecond: (latencies.length / this.#elapsedMs) * 1_000,
      p50: at(0.5),
      p99: at(0.99),
      wrong: this.#wrong,
      last: this.#last,
    };
  }

  async #sendRepeatedly(socket: Socket, nextBytes: () => Buffer): Promise<void> {
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

/** Returns a function that gives the request's bytes, with a new idempotency key each time. */
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
 * Keeps this process from sleeping. On a virtual machine, waking a sleeping process costs the server more
 * than the request, and a slow server would pay it more often.
 */
function stayAwake(isOver: () => boolean): void {
  if (!isOver()) setImmediate(() => stayAwake(isOver));
}

async function perform({ targets, connections, seconds }: Task) {
  // A single target needs no alternation.
  const slices = targets.length === 1 ? 1 : Math.max(1, Math.round(seconds * 10));
  const loads = targets.map((target) => new TargetLoad(target));
  for (const load of loads) await load.connect(connections);
  for (let slice = 0; slice < slices; slice += 1) {
    for (const load of loads) await load.slice((seconds * 1_000) / slices);
  }
  return loads.map((load) => load.result());
}

process.on("message", (task: Task) => {
  void perform(task).then((results) => process.send?.(results));
});
