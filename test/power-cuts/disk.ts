import { basename, dirname } from "node:path";
import { FileContent, type FileChange } from "./file-content.ts";
import type { LogRecord } from "./write-log.ts";

/** A file's durable content and its unsynced changes. */
export class DiskFile {
  readonly durable = new FileContent();
  pending: FileChange[] = [];

  sync(): void {
    for (const change of this.pending) this.durable.apply(change);
    this.pending = [];
  }
}

export type Entry = DiskFile | DiskFolder;

/** Names that are added, replaced or removed atomically. */
export type FolderChange = readonly (readonly [name: string, entry: Entry | undefined])[];

/** A folder's durable names and its unsynced changes. */
export class DiskFolder {
  readonly durable = new Map<string, Entry>();
  /** The names that processes see. */
  readonly live = new Map<string, Entry>();
  pending: FolderChange[] = [];

  change(change: FolderChange): void {
    applyTo(this.live, change);
    this.pending.push(change);
  }

  sync(): void {
    for (const change of this.pending) applyTo(this.durable, change);
    this.pending = [];
  }
}

export function applyTo(names: Map<string, Entry>, change: FolderChange): void {
  for (const [name, entry] of change) {
    if (entry === undefined) names.delete(name);
    else names.set(name, entry);
  }
}

/** A model of a disk, built by applying log records. */
export class Disk {
  readonly root = new DiskFolder();
  readonly #byInode = new Map<bigint, Entry>();

  apply(record: LogRecord): void {
    switch (record.kind) {
      case "createFile":
      case "createFolder":
        this.#create(record.path, record.inode, record.kind);
        break;
      case "write":
      case "truncate":
        this.#file(record.inode).pending.push(record);
        break;
      case "sync":
        this.#entry(record.inode).sync();
        break;
      case "rename":
        this.#rename(record.path, record.to);
        break;
      case "link":
        this.#link(record.path, record.to);
        break;
      case "remove":
        this.#folderOf(record.path).change([[basename(record.path), undefined]]);
        break;
      case "note":
        break;
    }
  }

  #create(path: string, inode: bigint, kind: "createFile" | "createFolder"): void {
    // The root exists from the start.
    const isRoot = path === "";
    const folder = () => (isRoot ? this.root : new DiskFolder());
    const entry = kind === "createFile" ? new DiskFile() : folder();
    this.#byInode.set(inode, entry);
    if (!isRoot) this.#folderOf(path).change([[basename(path), entry]]);
  }

  #rename(path: string, to: string): void {
    const folder = this.#folderOf(path);
    // The model does not support moves between folders, which need two syncs. The service makes none.
    if (this.#folderOf(to) !== folder) throw new Error(`${path} was moved to another folder.`);
    folder.change([
      [basename(path), undefined],
      [basename(to), folder.live.get(basename(path))],
    ]);
  }

  #link(path: string, to: string): void {
    const entry = this.#folderOf(path).live.get(basename(path));
    this.#folderOf(to).change([[basename(to), entry]]);
  }

  #folderOf(path: string): DiskFolder {
    let folder = this.root;
    for (const name of dirname(path).split("/")) {
      if (name === ".") continue;
      const inner = folder.live.get(name);
      if (!(inner instanceof DiskFolder)) throw new Error(`The log has no folder for ${path}.`);
      folder = inner;
    }
    return folder;
  }

  #entry(inode: bigint): Entry {
    const entry = this.#byInode.get(inode);
    if (entry === undefined) throw new Error(`The log has no file with inode ${inode}.`);
    return entry;
  }

  #file(inode: bigint): DiskFile {
    const entry = this.#entry(inode);
    if (!(entry instanceof DiskFile)) throw new Error("The log has a write to a folder.");
    return entry;
  }
}
