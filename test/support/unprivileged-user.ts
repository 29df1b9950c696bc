import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/** PostgreSQL refuses to run as root, so under root it runs as the unprivileged uid 65534. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Root's TMPDIR may be a folder that this user cannot enter. */
export const unprivilegedTmpdir = unprivileged === undefined ? tmpdir() : "/tmp";

/** Makes the user the owner of the folder and everything in it. */
export async function handToUnprivileged(folder: string): Promise<void> {
  if (unprivileged === undefined) return;
  const owner = `${unprivileged.uid}:${unprivileged.gid}`;
  await promisify(execFile)("chown", ["-R", owner, folder]);
}
