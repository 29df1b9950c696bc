import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A node's RPC address, and `user:password` as it is now. */
export interface SwitchTarget {
  readonly url: string;
  login(): Promise<string>;
}

/** One RPC address for several nodes, as when an operator replaces a node. */
export interface NodeSwitch {
  readonly url: string;
  /** Sends all further calls to another node. */
  connect(target: SwitchTarget): void;
  /** Accepts calls without answering them until `release`. */
  hold(): void;
  /** Answers the held calls, too late for callers that have given up. */
  release(): void;
  stop(): Promise<void>;
}

export async function startNodeSwitch(first: SwitchTarget): Promise<NodeSwitch> {
  let target = first;
  let held = Promise.withResolvers<void>();
  held.resolve();
  const server = createServer((request, response) => {
    // A caller whose node is gone gets a broken connection, as from the node itself.
    forward(request, response, async () => {
      await held.promise;
      return target;
    }).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connect: (other) => (target = other),
    hold: () => (held = Promise.withResolvers<void>()),
    release: () => held.resolve(),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  whichTarget: () => Promise<SwitchTarget>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const target = await whichTarget();
  const login = Buffer.from(await target.login()).toString("base64");
  const answer = await fetch(target.url, {
    method: "POST",
    headers: { authorization: `Basic ${login}` },
    body: Buffer.concat(chunks),
  });
  response.statusCode = answer.status;
  response.end(Buffer.from(await answer.arrayBuffer()));
}
