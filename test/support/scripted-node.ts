import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node's RPC answers to one call: `{result}`, or `{error: {code, message}}`. */
export type NodeAnswer = { readonly result: unknown } | { readonly error: unknown };

export interface ScriptedNode {
  readonly url: string;
  /** The calls so far, without regard to batches. */
  readonly calls: readonly NodeCall[];
  readonly authorizations: readonly (string | undefined)[];
  readonly traces: readonly (string | undefined)[];
  stop(): Promise<void>;
}

/** Handles a whole request in place of the script. Returns true when it did. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A JSON-RPC server on loopback that answers each call from a script, alone or in a batch. */
export async function startScriptedNode(
  answer: (call: NodeCall) => NodeAnswer,
  handle: RequestHandler = () => false,
): Promise<ScriptedNode> {
  const calls: NodeCall[] = [];
  const authorizations: (string | undefined)[] = [];
  const traces: (string | undefined)[] = [];

  const answerOne = (call: NodeCall & { id: unknown }) => {
    calls.push({ method: call.method, params: call.params });
    return { id: call.id, ...answer(call) };
  };
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    traces.push(request.headers["traceparent"] as string | undefined);
    if (handle(request, response)) return;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as
        | (NodeCall & { id: unknown })
        | (NodeCall & { id: unknown })[];
      // A node may answer the calls of a batch in any order.
      const answers = Array.isArray(body) ? body.map(answerOne).toReversed() : answerOne(body);
      response.setHeader("content-type", "application/json");
      response.statusCode = "error" in answers && answers.error !== null ? 500 : 200;
      response.end(JSON.stringify(answers));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    authorizations,
    traces,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
