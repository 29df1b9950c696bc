import { readFileSync } from "node:fs";

/**
 * Remote ports of the open connections to the URL's port, read from Linux's `/proc/net/tcp`. A closed
 * connection may stay in that table without belonging to a process; its inode is then 0.
 */
export function openConnections(url: string): ReadonlySet<number> {
  const port = Number(new URL(url).port);
  const held = new Set<number>();
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n").slice(1)) {
    const [, local = "", remote = "", state, , , , , , inode] = line.trim().split(/\s+/);
    const isListening = state === "0A";
    if (portOf(local) === port && !isListening && inode !== "0") held.add(portOf(remote));
  }
  return held;
}

/** Returns the clients whose connection the service has not closed. */
export function stillOpen<Client extends { readonly port: number }>(
  url: string,
  clients: readonly Client[],
): readonly Client[] {
  const held = openConnections(url);
  return clients.filter(({ port }) => held.has(port));
}

function portOf(address: string): number {
  return Number.parseInt(address.split(":")[1] ?? "", 16);
}
