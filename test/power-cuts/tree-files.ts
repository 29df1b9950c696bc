import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Disk } from "./disk.ts";
import { treeWithAllChanges, type Tree } from "./power-cut.ts";
import type { LogRecord, WriteLog } from "./write-log.ts";

/** SQLite's shared-memory file. Nothing may rely on its content after a cut. */
export const isSharedMemory = (name: string) => name.endsWith("-shm");

export function writeTree(folder: string, tree: Tree): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of tree) {
    const path = join(folder, name);
    if (Buffer.isBuffer(content)) writeFileSync(path, content, { mode: 0o600 });
    else writeTree(path, content);
  }
}

function readTree(folder: string): Tree {
  return new Map(
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? readTree(path) : readFileSync(path)] as const;
    }),
  );
}

/** Logs the folder's current content as created and synced. */
export function logTree(log: WriteLog, root: string, folder = root): void {
  const { ino: inode } = statSync(folder, { bigint: true });
  log.append({ kind: "createFolder", inode, path: relative(root, folder) });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { bigint: true });
    if (found.isDirectory()) logTree(log, root, path);
    else logFile(log, relative(root, path), found.ino, readFileSync(path));
  }
  log.append({ kind: "sync", inode });
}

function logFile(log: WriteLog, path: string, inode: bigint, bytes: Buffer): void {
  log.append({ kind: "createFile", inode, path });
  log.append({ kind: "write", inode, at: 0, bytes });
  log.append({ kind: "sync", inode });
}

/**
 * Paths whose content differs from the log. A change that the recorder unrecorded would invalidate the proof.
 * Ignores shared memory.
 */
export function findUnrecorded(records: readonly LogRecord[], root: string): readonly string[] {
  const disk = new Disk();
  for (const record of records) disk.apply(record);
  return differences(treeWithAllChanges(disk.root), readTree(root));
}

function differences(left: Tree, right: Tree, folder = ""): readonly string[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name) => {
    const [path, a, b] = [join(folder, name), left.get(name), right.get(name)];
    if (isSharedMemory(name)) return [];
    if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return a.equals(b) ? [] : [path];
    if (a instanceof Map && b instanceof Map) return differences(a, b, path);
    return [path];
  });
}
