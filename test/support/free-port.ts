import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type ListenOptions } from "node:net";

interface Ports {
  readonly first: number;
  readonly last: number;
}

/** Linux gives higher ports to programs that ask for any, for example for an outgoing connection. */
const notGivenOut: Ports = { first: 10_000, last: 32_767 };
const maximumAttempts = 100;

/** A port of loopback that no process listens on and that no other caller gets while this process runs. */
export async function findFreePort({ first, last } = notGivenOut): Promise<number> {
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const port = randomInt(first, last + 1);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`No free port from ${first} to ${last} in ${maximumAttempts} attempts.`);
}

/** The name is in Linux's abstract namespace: it belongs to one process, and becomes free when that ends. */
async function reserve(port: number): Promise<boolean> {
  return (await listen({ path: `\0ironlease-port-${port}` })) !== undefined;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen({ host: "127.0.0.1", port });
  if (server !== undefined) await once(server.close(), "close");
  return server !== undefined;
}

/** Nothing if another server has the address. */
async function listen(options: ListenOptions) {
  const server = createServer().listen(options).unref();
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return undefined;
  }
}
