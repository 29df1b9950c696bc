import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Passes datagrams between one client at a time and a server, and can drop them. */
export interface UdpRelay {
  readonly port: number;
  /** Called for each datagram. False drops it. */
  passes: (from: "client" | "server") => boolean | Promise<boolean>;
  stop(): void;
}

export async function startUdpRelay(serverPort: number): Promise<UdpRelay> {
  const host = "127.0.0.1";
  const [front, back] = [createSocket("udp4").bind(0, host), createSocket("udp4").bind(0, host)];
  await Promise.all([once(front, "listening"), once(back, "listening")]);
  let clientPort = 0;
  const relay: UdpRelay = {
    port: front.address().port,
    passes: () => true,
    stop: () => {
      front.close();
      back.close();
    },
  };
  front.on("message", async (datagram, { port }) => {
    clientPort = port;
    if (await relay.passes("client")) back.send(datagram, serverPort, host);
  });
  back.on("message", async (datagram) => {
    if (await relay.passes("server")) front.send(datagram, clientPort, host);
  });
  return relay;
}
