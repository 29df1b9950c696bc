import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { headerOf, takeAnswer, type WireAnswer } from "./http-answers.ts";

/** Where bytes go. */
export interface Target {
  readonly port: number;
  readonly trust: SecureContext;
  /** Of the latest connection: the next one need not prove everything anew. */
  session: Buffer | undefined;
}

export function targetOf(url: string, ca: string): Target {
  return {
    port: Number(new URL(url).port),
    trust: createSecureContext({ ca }),
    session: undefined,
  };
}

/** Neither an answer nor an end of the connection within a bound that nothing honest comes near. */
export class Hang extends Error {
  override readonly name = "Hang";
}

/** The connection ended before a request that was whole had its answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const hangMs = 30_000;
/** How long the service may stay silent before we take it that it waits for the rest of a request. */
const patienceMs = 150;

/** One TLS connection, written to as bytes: no client library would send what we send. */
export class Wire {
  readonly #socket: TLSSocket;
  #bytes: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake = () => {};

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    // Whoever resets a connection ends it, too; what came before it counts.
    socket.on("error", () => socket.destroy());
    const ended = () => {
      this.#isClosed = true;
      this.#wake();
    };
    socket.on("end", ended);
    socket.on("close", ended);
  }

  static open(target: Target): Promise<Wire> {
    const { port, trust, session } = target;
    return new Promise((resolve, reject) => {
      const socket = connect({
        ...{ host: "127.0.0.1", servername: "localhost", port },
        ...{ secureContext: trust, allowHalfOpen: true },
        ...(session === undefined ? {} : { session }),
      });
      socket.on("session", (latest) => (target.session = latest));
      socket.setNoDelay(true);
      socket.once("error", reject);
      socket.once("secureConnect", () => {
        socket.off("error", reject);
        resolve(new Wire(socket));
      });
    });
  }

  get isUsable(): boolean {
    return (
      !this.#isClosed &&
      !this.#socket.destroyed &&
      this.#bytes.length === 0 &&
      this.#socket.writable
    );
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Sends requests that are each whole, and gives their answers: one for each, in order, unless one of
   * them says that it is the last on this connection.
   */
  async exchange(pieces: readonly Buffer[], methods: readonly string[]): Promise<WireAnswer[]> {
    await this.#write(pieces);
    const answers: WireAnswer[] = [];
    const endsAt = performance.now() + hangMs;
    for (;;) {
      this.#take(answers, methods);
      if (answers.length > 0 && isLast(answers.at(-1))) {
        this.close();
        return answers;
      }
      if (answers.length === methods.length) return answers;
      if (this.#isClosed) throw new NoAnswer(`the connection ended: ${this.#shown()}`);
      if (performance.now() > endsAt) throw new Hang(`no answer in time: ${this.#shown()}`);
      await this.#change(endsAt - performance.now());
    }
  }

  /**
   * Sends what may be anything, and gives whatever answers there are. Once the service is silent we
   * end our side; it must then end its own.
   */
  async exchangeOdd(pieces: readonly Buffer[], methods: readonly string[]): Promise<WireAnswer[]> {
    await this.#write(pieces);
    while (!this.#isClosed && (await this.#change(patienceMs)));
    this.#socket.end();
    const endsAt = performance.now() + hangMs;
    while (!this.#isClosed) {
      if (performance.now() > endsAt) {
        this.close();
        throw new Hang(`the connection stays open: ${this.#shown()}`);
      }
      await this.#change(endsAt - performance.now());
    }
    const answers: WireAnswer[] = [];
    this.#take(answers, methods);
    if (this.#bytes.length > 0 && !isInterim(this.#bytes))
      throw new NoAnswer(`half an answer: ${this.#shown()}`);
    return answers;
  }

  async #write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      if (this.#isClosed || !this.#socket.writable) return;
      this.#socket.write(piece);
      // A turn of the loop between them, so that each is a record of its own.
      if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #take(answers: WireAnswer[], methods: readonly string[]): void {
    for (;;) {
      const taken = takeAnswer(this.#bytes, methods[answers.length]);
      if (taken === undefined) return;
      answers.push(taken.answer);
      this.#bytes = taken.rest;
    }
  }

  /** Resolves with whether something came, or the end of the connection, before the time was up. */
  #change(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (hasChanged: boolean) => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(hasChanged);
      };
      const timer = setTimeout(() => done(false), Math.max(1, ms));
      this.#wake = () => done(true);
    });
  }

  #shown(): string {
    return JSON.stringify(this.#bytes.toString("latin1", 0, 500));
  }
}

function isLast(answer: WireAnswer | undefined): boolean {
  return answer !== undefined && headerOf(answer, "connection") === "close";
}

/** The service was told to go on, and then that nobody waits for more. */
function isInterim(bytes: Buffer): boolean {
  return bytes.toString("latin1") === "HTTP/1.1 100 Continue\r\n\r\n";
}
