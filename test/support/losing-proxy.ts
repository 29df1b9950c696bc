import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";

/** Stands before a service on this machine and loses answers on the way back. */
export interface LosingProxy {
  readonly url: string;
  /** How many answers to changes are still to be lost: the service has done what was asked. */
  lose(count: number): void;
  /** Called when an answer was lost. */
  onLost: (() => void) | undefined;
  /** Whether nothing gets through at all. */
  isDown: boolean;
  /** Whether the connection stays open after a loss, so that whoever waits, waits. */
  isSilent: boolean;
  close(): Promise<void>;
}

export async function startLosingProxy(serviceUrl: string, caPath: string): Promise<LosingProxy> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caPath) });
  let left = 0;
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const proxy: LosingProxy = {
    get url() {
      return `http://localhost:${(server.address() as AddressInfo).port}`;
    },
    lose: (count) => void (left = count),
    onLost: undefined,
    isDown: false,
    isSilent: false,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "/", headers } = request;
    if (proxy.isDown) return void response.destroy();
    const onward = requestHttps(new URL(url, serviceUrl), {
      ...{ method, agent, headers: { ...headers, host: new URL(serviceUrl).host } },
    });
    request.pipe(onward);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.once("response", resolve);
      onward.once("error", reject);
    });
    if (method !== "GET" && left > 0) {
      left -= 1;
      answer.resume();
      if (!proxy.isSilent) response.destroy();
      proxy.onLost?.();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
    answer.pipe(response);
  }

  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return proxy;
}
