import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that arrived. */
export interface ReceivedMessage {
  readonly path: string;
  readonly host: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

/** A customer's endpoint, on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedMessage[];
  /** How it answers from now on. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export const accept: Answer = (response) => void response.writeHead(204).end();
export const fail: Answer = (response) => void response.writeHead(500).end();

export async function startReceiver(initial: Answer = accept): Promise<WebhookReceiver> {
  let answer = initial;
  const received: ReceivedMessage[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message: ReceivedMessage = {
      path: request.url ?? "",
      host: request.headers.host,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(message);
    answer(response, message);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answerWith: (next) => (answer = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
