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
  let isOpen = true;
  const relay: UdpRelay = {
    port: front.address().port,
    passes: () => true,
    stop: () => {
      isOpen = false;
      front.close();
      back.close();
    },
  };
  const forward = async (from: "client" | "server", datagram: Buffer): Promise<void> => {
    if (!(await relay.passes(from)) || !isOpen) return;
    if (from === "client") back.send(datagram, serverPort, host);
    else front.send(datagram, clientPort, host);
  };
  front.on("message", (datagram, { port }) => {
    clientPort = port;
    void forward("client", datagram);
  });
  back.on("message", (datagram) => void forward("server", datagram));
  return relay;
}
