import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A proxy before the API of PowerDNS that never answers a change, which the server has carried out. */
export interface KillerProxy {
  readonly url: string;
  /** Resolves when the server has carried out the first change of a record. */
  readonly changed: Promise<void>;
  close(): Promise<void>;
}

export async function startKillerProxy(apiUrl: string): Promise<KillerProxy> {
  const { promise: changed, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const forward = async () => {
      const { method = "GET", url = "/", headers } = request;
      const body = await text(request);
      const answer = await fetch(`${apiUrl}${url}`, {
        method,
        headers: { "x-api-key": String(headers["x-api-key"]) },
        ...(body !== "" && { body }),
      });
      if (method === "PATCH") return resolve();
      response.writeHead(answer.status).end(await answer.text());
    };
    forward().catch(reject);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
