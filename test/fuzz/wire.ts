import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { headerOf, takeAnswer, type WireAnswer } from "./http-answers.ts";

export interface Target {
  readonly port: number;
  readonly trust: SecureContext;
  /** TLS session of the latest connection, which the next one resumes. */
  session: Buffer | undefined;
}

export function targetOf(url: string, ca: string): Target {
  return {
    port: Number(new URL(url).port),
    trust: createSecureContext({ ca }),
    session: undefined,
  };
}

/** The service neither answered nor closed the connection in time. */
export class Hang extends Error {
  override readonly name = "Hang";
}

/** The connection closed before a complete request was answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Far longer than any answer takes. */
const hangMs = 30_000;
/** After this silence, the service is assumed to wait for the rest of a request. */
const silenceMs = 150;

/** A TLS connection for raw bytes, because no HTTP client would send these requests. */
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
    // A reset also ends the connection. Answers received before it count.
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
      // The types of `connect` do not know `allowHalfOpen`, so the options are not passed as a literal.
      const options = {
        host: "127.0.0.1",
        servername: "localhost",
        port,
        secureContext: trust,
        allowHalfOpen: true,
        ...(session === undefined ? {} : { session }),
      };
      const socket = connect(options);
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
   * Sends complete requests and returns one answer for each, in order. Stops early after an answer with
   * `connection: close`.
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
      if (this.#isClosed) throw new NoAnswer(`the connection closed: ${this.#shown()}`);
      if (performance.now() > endsAt) throw new Hang(`no answer in time: ${this.#shown()}`);
      await this.#change(endsAt - performance.now());
    }
  }

  /**
   * Sends arbitrary bytes and returns the answers, if any. When the service is silent, closes the client's side
   * of the connection. The service must then close its side.
   */
  async exchangeUntilClosed(
    pieces: readonly Buffer[],
    methods: readonly string[],
  ): Promise<WireAnswer[]> {
    await this.#write(pieces);
    // A busy machine may pause in the middle of an answer, and closing then would cut the rest.
    const patienceMs = () => (this.#isMidAnswer(methods) ? hangMs : silenceMs);
    while (!this.#isClosed && (await this.#change(patienceMs())));
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
      throw new NoAnswer(`incomplete answer: ${this.#shown()}`);
    return answers;
  }

  async #write(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      if (this.#isClosed || !this.#socket.writable) return;
      this.#socket.write(piece);
      // Yield to the event loop, so that each piece becomes a separate TLS record.
      if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #take(answers: WireAnswer[], methods: readonly string[]): void {
    for (;;) {
      const taken = takeAnswer(this.#bytes, methods[answers.length], this.#isClosed);
      if (taken === undefined) return;
      answers.push(taken.answer);
      this.#bytes = taken.rest;
    }
  }

  /** Whether an answer has begun to arrive and is not complete. */
  #isMidAnswer(methods: readonly string[]): boolean {
    let rest = this.#bytes;
    for (let answered = 0; ; answered += 1) {
      const taken = takeAnswer(rest, methods[answered]);
      if (taken === undefined) return rest.length > 0 && !isInterim(rest);
      rest = taken.rest;
    }
  }

  /** Resolves with whether data arrived or the connection closed in time. */
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

/** The service answered 100 and the client then sent nothing more. */
function isInterim(bytes: Buffer): boolean {
  return bytes.toString("latin1") === "HTTP/1.1 100 Continue\r\n\r\n";
}
