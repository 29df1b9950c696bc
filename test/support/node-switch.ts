import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A node's RPC address, and `user:password` as it is now. */
export interface SwitchTarget {
  readonly url: string;
  /** Without it the node has no login. */
  login?(): Promise<string>;
  /** Changes what the node answered to one call. */
  readonly change?: (call: { readonly method: string }, answer: NodeAnswer) => NodeAnswer;
}

export interface NodeAnswer {
  readonly result?: unknown;
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
    const whichTarget = async () => {
      await held.promise;
      return target;
    };
    forward(request, response, whichTarget).catch(() => response.destroy());
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
  const login = await target.login?.();
  const answer = await fetch(new URL(request.url ?? "/", target.url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(login !== undefined && {
        authorization: `Basic ${Buffer.from(login).toString("base64")}`,
      }),
    },
    body: Buffer.concat(chunks),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  response.statusCode = answer.status;
  const { change } = target;
  response.end(change === undefined ? body : changed(Buffer.concat(chunks), body, change));
}

interface Identified extends NodeAnswer {
  readonly id: unknown;
  readonly method: string;
}

function changed(
  request: Buffer,
  answer: Buffer,
  change: NonNullable<SwitchTarget["change"]>,
): string {
  const calls = [JSON.parse(request.toString()) as Identified | Identified[]].flat();
  const one = (given: Identified): NodeAnswer => {
    const call = calls.find(({ id }) => id === given.id);
    return call === undefined ? given : change(call, given);
  };
  const answers = JSON.parse(answer.toString()) as Identified | Identified[];
  return JSON.stringify(Array.isArray(answers) ? answers.map(one) : one(answers));
}
