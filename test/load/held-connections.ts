import { readFileSync } from "node:fs";

/**
 * The far ports of the connections that whoever listens on this port has in hand, as Linux tells. One
 * that was closed may linger in the kernel, but belongs to no process any more.
 */
export function heldConnections(url: string): ReadonlySet<number> {
  const port = Number(new URL(url).port);
  const held = new Set<number>();
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", state, , , , , , inode] = line.trim().split(/\s+/);
    const isListening = state === "0A";
    if (portOf(local) === port && !isListening && inode !== "0") held.add(portOf(remote));
  }
  return held;
}

/** Those of the clients whose connection the service has not let go. */
export function stillHeld<Client extends { readonly port: number }>(
  url: string,
  clients: readonly Client[],
): readonly Client[] {
  const held = heldConnections(url);
  return clients.filter(({ port }) => held.has(port));
}

function portOf(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "", 16);
}
