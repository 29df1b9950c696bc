import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port of loopback that no process listens on. Another one may take it before the caller does. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
