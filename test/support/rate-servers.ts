import { createServer, type RequestListener, type Server } from "node:http";
import { findFreePort } from "./free-port.ts";

/** A source of rates on this machine that answers as the test says. */
export interface RateServer {
  readonly host: string;
  readonly url: string;
  requests: number;
  /** Takes effect with the next request. */
  answer: RequestListener;
  /** Closes the port. Requests are refused until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const json =
  (body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
  };

export const price = (value: string, headers: Readonly<Record<string, string>> = {}) =>
  json(`{"data":{"price":${value}}}`, headers);

export async function startRateServer(answer: RequestListener): Promise<RateServer> {
  const port = await findFreePort();
  const host = `127.0.0.1:${port}`;
  const rateServer: RateServer = {
    host,
    url: `http://${host}/v1/ticker?key=secret`,
    requests: 0,
    answer,
    stop: () => close(server),
    start: async () => {
      server = await listen();
    },
  };

  function listen(): Promise<Server> {
    const created = createServer((request, response) => {
      rateServer.requests += 1;
      // The clock of a test is not the one of this machine.
      response.sendDate = false;
      rateServer.answer(request, response);
    });
    return new Promise((resolve) => created.listen(port, "127.0.0.1", () => resolve(created)));
  }
  let server = await listen();
  return rateServer;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
