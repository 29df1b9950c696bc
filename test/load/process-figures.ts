import { readdirSync, readlinkSync } from "node:fs";

/** How many sockets a process has open; what Linux tells of it. */
export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith("socket:");
    } catch {
      // It was closed between the two looks.
      return false;
    }
  }).length;
}
