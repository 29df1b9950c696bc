import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { resetConnection } from "#test/reset-connection.ts";
import { headerOf, messagesOf, offsetIn, type Place } from "./http-bytes.ts";

/**
 * At the given place the connection closes (`cut`), is reset (`reset`) or hangs (`stall`), or one byte is
 * changed (`garble`). `pick`, from 0 to 1, selects the exact byte.
 */
interface PlacedFault {
  readonly kind: "cut" | "reset" | "stall" | "garble";
  readonly of: "request" | "answer";
  readonly place: Place;
  readonly pick: number;
}

/** A fault in one request or its answer. */
export type Fault =
  | PlacedFault
  /** The request reaches the service only when the test calls `deliverLate`. */
  | { kind: "late" }
  /** The network duplicates the request, and the client receives the second answer. */
  | { kind: "twice" }
  /** A gateway answers with an error page. The request may have reached the service. */
  | { kind: "page"; pick: number };

export interface FaultProxy {
  readonly url: string;
  /** The faults of the next requests, in order. */
  faults: Fault[];
  /** Every request that arrived. */
  readonly requests: Buffer[];
  /** Called when an open connection will deliver nothing more. */
  onStall: () => void;
  serve(target: string): void;
  /** Forwards the requests that were delayed. */
  deliverLate(): Promise<void>;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  /** The TCP socket, because a TLS socket cannot be reset. */
  readonly raw: Socket;
}

/**
 * A proxy in front of the service that injects faults. With a certificate it terminates TLS, so that it can
 * place faults in the plain text. Otherwise it speaks HTTP.
 */
export async function startFaultProxy(tls?: { key: string; cert: string }): Promise<FaultProxy> {
  const open = new Set<Socket>();
  const held: Buffer[] = [];
  let port = 0;
  const secureContext = tls && createSecureContext(tls);
  const listener = createServer({ noDelay: true }, (raw) => {
    track(open, raw);
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
      for (const request of held.splice(0)) await forward(request);
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
        if (fault === undefined) client.write(await forward(request));
        else await inject(connection, request, fault);
      }
    } catch {
      // A client that gives up closes the connection at any point.
    }
  }

  async function inject(connection: Connection, request: Buffer, fault: Fault): Promise<void> {
    const { client } = connection;
    if (fault.kind === "late") {
      held.push(request);
      proxy.onStall();
    } else if (fault.kind === "twice") {
      await forward(request);
      client.write(await forward(request));
    } else if (fault.kind === "page") {
      if (fault.pick < 0.5) await forward(request);
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
      injectIntoAnswer(connection, await forward(request), fault);
    }
  }

  function injectIntoAnswer(connection: Connection, answer: Buffer, fault: PlacedFault): void {
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
    if (kind === "reset") resetConnection(raw, client);
    else client.destroy();
  }

  function dial(): Socket {
    const upstream = connect({ host: "127.0.0.1", port, noDelay: true });
    track(open, upstream);
    return upstream;
  }

  /** Sends a complete request to the service and returns the complete answer. */
  async function forward(request: Buffer): Promise<Buffer> {
    const upstream = dial();
    upstream.write(request);
    for await (const answer of messagesOf(upstream)) return answer;
    throw new Error(`the service closed without an answer to ${headerOf(request, "host") ?? ""}`);
  }

  return proxy;
}

function track(open: Set<Socket>, socket: Socket): void {
  open.add(socket);
  socket.on("error", () => undefined);
  socket.on("close", () => open.delete(socket));
}

function flushed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.write("", () => resolve()));
}
