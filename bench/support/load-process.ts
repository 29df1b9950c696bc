import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

/**
 * Sends one request over and over on many keep-alive connections and counts the answers. It knows
 * just enough HTTP to find the end of an answer, so that the server and not the client is measured.
 * Runs as a process of its own; prints one line of JSON.
 */
const { ports, request, connections, seconds, ca } = JSON.parse(process.argv[2] ?? "{}") as {
  /** Connections take them in turn. */
  ports: readonly number[];
  request: string;
  connections: number;
  seconds: number;
  /** Whom to trust; undefined without TLS. */
  ca?: string;
};
/** `%KEY%` in the request is a different key each time. */
const isKeyed = request.includes("%KEY%");
const bytes = Buffer.from(request);
let keys = 0;
const nextBytes = () =>
  isKeyed
    ? Buffer.from(request.replace("%KEY%", `${process.pid}-${Date.now()}-${(keys += 1)}`))
    : bytes;
const latencies: number[] = [];
let wrong = 0;
let last = { head: "", body: "" };
let isOver = false;

function run(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket =
      ca === undefined ? connect(port, "127.0.0.1") : connectTls({ port, host: "127.0.0.1", ca });
    let sentAt = 0;
    let pending: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(nextBytes());
    };
    socket.setNoDelay(true);
    socket.on(ca === undefined ? "connect" : "secureConnect", send);
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const head = pending.indexOf("\r\n\r\n");
      if (head === -1) return;
      const headers = pending.toString("latin1", 0, head);
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
      if (pending.length < head + 4 + length) return;
      if (!headers.startsWith("HTTP/1.1 2")) wrong += 1;
      last = { head: headers, body: pending.toString("utf8", head + 4) };
      pending = Buffer.alloc(0);
      latencies.push(performance.now() - sentAt);
      if (isOver) socket.end();
      else send();
    });
  });
}

/**
 * Keeps this process awake. One that sleeps between answers has to be woken by the server's write,
 * which on a virtual machine costs more than the request, and more often the slower the server is.
 */
function stayAwake(): void {
  if (!isOver) setImmediate(stayAwake);
}

const startedAt = performance.now();
stayAwake();
setTimeout(() => (isOver = true), seconds * 1000);
await Promise.all(
  Array.from({ length: connections }, (_, index) => run(ports[index % ports.length] ?? 0)),
);
const elapsed = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
const perSecond = latencies.length / elapsed;
console.log(JSON.stringify({ perSecond, p50: at(0.5), p99: at(0.99), wrong, last }));
