import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";

/** A proxy that forwards requests to a local service and drops some of its answers. */
export interface LossyProxy {
  readonly url: string;
  /** Drops the next answers to changes. The service has carried those changes out. */
  lose(count: number): void;
  /** Called after a dropped answer. */
  onLost: (() => void) | undefined;
  /** Whether to refuse every request. */
  isDown: boolean;
  /** Whether to keep the connection open after dropping an answer, so that the client waits. */
  isSilent: boolean;
  close(): Promise<void>;
}

export async function startLossyProxy(serviceUrl: string, caPath: string): Promise<LossyProxy> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caPath) });
  let left = 0;
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const proxy: LossyProxy = {
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
      method,
      agent,
      headers: { ...headers, host: new URL(serviceUrl).host },
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
