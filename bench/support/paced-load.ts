import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { BenchService } from "./bench-service.ts";
import { benchOrder } from "./rental.ts";

/** The requests that customers repeat. */
const kinds = {
  me: { method: "GET", path: "/api/v1/me" },
  ledger: { method: "GET", path: "/api/v1/ledger" },
  order: { method: "POST", path: "/api/v1/orders", body: JSON.stringify(benchOrder) },
} as const;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as readonly Kind[];

/** For each kind. They pause between requests, so that the load stays far below the service's capacity. */
const customers = 2;
const pauseMs = 25;

/** Milliseconds from sending a request to the end of its answer. */
export type Latencies = Readonly<Record<Kind, readonly number[]>>;

let keys = 0;

/** The latencies of customers who send requests until the work is done. */
export async function latenciesDuring(
  service: BenchService,
  work: () => Promise<void>,
): Promise<Latencies> {
  const latencies: Record<Kind, number[]> = { me: [], ledger: [], order: [] };
  const agent = new Agent({ keepAlive: true });
  const over = new AbortController();
  const sendUntilDone = async (kind: Kind) => {
    while (!over.signal.aborted) {
      latencies[kind].push(await send(service, agent, kind));
      await setTimeout(pauseMs);
    }
  };
  const senders = Array.from({ length: customers }, () => kindNames.map(sendUntilDone)).flat();
  try {
    await Promise.race([work(), ...senders]);
  } finally {
    over.abort();
    await Promise.all(senders);
    agent.destroy();
  }
  return latencies;
}

function send(service: BenchService, agent: Agent, kind: Kind): Promise<number> {
  const { method, path, ...rest } = kinds[kind];
  const body = "body" in rest ? rest.body : undefined;
  keys += 1;
  const headers = {
    cookie: service.cookie,
    ...(body !== undefined && {
      "x-csrf-token": service.csrfToken,
      "content-type": "application/json",
      "content-length": body.length,
      "idempotency-key": `paced-${process.pid}-${keys}`,
    }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sentAt = performance.now();
  const sending = request(
    { agent, host: "127.0.0.1", port: service.port, method, path, headers },
    (answer) => {
      const status = answer.statusCode ?? 0;
      answer.resume();
      answer.on("end", () => {
        if (status >= 200 && status < 300) resolve(performance.now() - sentAt);
        else reject(new Error(`${method} ${path} was answered with ${status}`));
      });
    },
  );
  sending.on("error", reject);
  sending.end(body);
  return promise;
}

export function p99(latencies: readonly number[]): number {
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
}
