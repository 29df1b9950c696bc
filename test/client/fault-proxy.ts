import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { headerOf, messagesOf, offsetIn, type Place } from "./http-bytes.ts";

/**
 * So many bytes pass; then the connection ends, orderly or with a reset, or nothing happens any more.
 * Garbled, the byte there is another one. `pick`, from 0 to 1, says where exactly.
 */
interface PlacedFault {
  readonly kind: "cut" | "reset" | "stall" | "garble";
  readonly of: "request" | "answer";
  readonly place: Place;
  readonly pick: number;
}

/** What goes wrong with one request or its answer. */
export type Fault =
  | PlacedFault
  /** The request is held up until everything is over, and arrives then. */
  | { kind: "late" }
  /** Something on the way sends the request twice, and passes on the second answer. */
  | { kind: "twice" }
  /** Something on the way answers with a page of its own; the request may have passed. */
  | { kind: "page"; pick: number };

export interface FaultProxy {
  readonly url: string;
  /** What goes wrong with the requests to come, one after the other; then nothing does. */
  faults: Fault[];
  /** Every request that came, whole. */
  readonly requests: Buffer[];
  /** Called when nothing more will come on a connection that stays open. */
  onStall: () => void;
  serve(target: string): void;
  /** Lets the requests arrive that were held up. */
  deliverLate(): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  /** What is under the TLS, which alone can be reset. */
  readonly raw: Socket;
}

/**
 * Stands in front of the service and does to requests and answers what it is told to. It sees what is
 * inside TLS because it ends that, when it is given a certificate; else it speaks plain HTTP.
 */
export async function startFaultProxy(tls?: { key: string; cert: string }): Promise<FaultProxy> {
  const open = new Set<Socket>();
  const held: Buffer[] = [];
  let port = 0;
  const secureContext = tls && createSecureContext(tls);
  const listener = createServer({ noDelay: true }, (raw) => {
    keep(open, raw);
    const client = secureContext ? new TLSSocket(raw, { isServer: true, secureContext }) : raw;
    client.on("error", () => undefined);
    void serveClient({ client, raw });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");

  const proxy: FaultProxy = {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    faults: [],
    requests: [],
    onStall: () => undefined,
    serve: (target) => {
      port = Number(new URL(target).port);
    },
    deliverLate: async () => {
      for (const request of held.splice(0)) await ask(request);
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };

  async function serveClient(connection: Connection): Promise<void> {
    const { client } = connection;
    try {
      for await (const request of messagesOf(client)) {
        proxy.requests.push(request);
        const fault = proxy.faults.shift();
        if (fault === undefined) client.write(await ask(request));
        else await act(connection, request, fault);
      }
    } catch {
      // The client has closed its end in the middle, which is what clients do when they give up.
    }
  }

  async function act(connection: Connection, request: Buffer, fault: Fault): Promise<void> {
    const { client } = connection;
    if (fault.kind === "late") {
      held.push(request);
      proxy.onStall();
    } else if (fault.kind === "twice") {
      await ask(request);
      client.write(await ask(request));
    } else if (fault.kind === "page") {
      if (fault.pick < 0.5) await ask(request);
      client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 15\r\n\r\n<h1>Sorry</h1>\n");
    } else if (fault.of === "request") {
      const upstream = dial();
      upstream.write(request.subarray(0, offsetIn(request, fault.place, fault.pick)));
      if (fault.kind === "stall") {
        client.once("close", () => upstream.destroy());
        proxy.onStall();
      } else {
        await flushed(upstream);
        upstream.destroy();
        end(connection, fault.kind);
      }
    } else {
      spoil(connection, await ask(request), fault);
    }
  }

  function spoil(connection: Connection, answer: Buffer, fault: PlacedFault): void {
    const { client } = connection;
    const offset = offsetIn(answer, fault.place, fault.pick);
    if (fault.kind === "garble") {
      const garbled = Buffer.from(answer);
      const at = Math.min(offset, answer.length - 1);
      garbled[at] = (answer[at] ?? 0) ^ 0x80;
      client.end(garbled);
      return;
    }
    const passing = answer.subarray(0, offset);
    if (fault.kind === "stall") {
      client.write(passing, () => proxy.onStall());
    } else {
      client.write(passing, () => end(connection, fault.kind));
    }
  }

  function end({ client, raw }: Connection, kind: Fault["kind"]): void {
    if (kind === "reset") raw.resetAndDestroy();
    else client.destroy();
  }

  function dial(): Socket {
    const upstream = connect({ host: "127.0.0.1", port, noDelay: true });
    keep(open, upstream);
    return upstream;
  }

  /** Sends a whole request to the service and gives its whole answer. */
  async function ask(request: Buffer): Promise<Buffer> {
    const upstream = dial();
    upstream.write(request);
    for await (const answer of messagesOf(upstream)) return answer;
    throw new Error(`the service closed without an answer to ${headerOf(request, "host") ?? ""}`);
  }

  return proxy;
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on("error", () => undefined);
  socket.on("close", () => open.delete(socket));
}

function flushed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.write("", () => resolve()));
}
