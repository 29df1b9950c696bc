import type { Chance } from "./chance.ts";
import { applyTo, DiskFile, type DiskFolder, type Entry } from "./disk.ts";
import { FileContent, sectorBytes, sectorsOf } from "./file-content.ts";

/** What a folder holds: names of files with their bytes, and of folders with theirs. */
export type Tree = ReadonlyMap<string, Buffer | Tree>;

/**
 * How much of what was not synced a disk has taken when the power goes. In every case a sector holds
 * what it held at one moment since its last sync, since that is what a disk may have been handed:
 * - nothing, or everything;
 * - early: what was done up to some moment, and nothing after it;
 * - some: of the things done, some and not others, in any order;
 * - torn: of each single sector, what it held at a moment of its own.
 */
export const fates = ["nothing", "everything", "early", "some", "torn"] as const;
export type Fate = (typeof fates)[number];

/** Chooses what is left of the disk. A fate that is not given is drawn for each file by itself. */
export function leftAfterCut(folder: DiskFolder, chance: Chance, fate?: Fate): Tree {
  const names = new Map(folder.durable);
  const survives = survivorsOf(folder.pending.length, chance, fate ?? chance.pick(fates));
  folder.pending.forEach((change, index) => {
    if (survives(index)) applyTo(names, change);
  });
  const entries = [...names].map(([name, entry]) => [name, leftOf(entry, chance, fate)] as const);
  return new Map(entries);
}

/** Everything that was done, as if each file had been synced. */
export function wholeTree(folder: DiskFolder): Tree {
  return new Map([...folder.live].map(([name, entry]) => [name, wholeOf(entry)] as const));
}

function wholeOf(entry: Entry): Buffer | Tree {
  if (!(entry instanceof DiskFile)) return wholeTree(entry);
  const content = new FileContent(entry.durable.bytes);
  for (const change of entry.pending) content.apply(change);
  return content.bytes;
}

function leftOf(entry: Entry, chance: Chance, fate: Fate | undefined): Buffer | Tree {
  if (!(entry instanceof DiskFile)) return leftAfterCut(entry, chance, fate);
  return leftOfFile(entry, chance, fate ?? chance.pick(fates));
}

/** Which of so many changes survive. A torn sector is drawn apart from this; here some are. */
function survivorsOf(count: number, chance: Chance, fate: Fate): (index: number) => boolean {
  if (fate === "nothing") return () => false;
  if (fate === "everything") return () => true;
  const early = chance.below(count + 1);
  if (fate === "early") return (index) => index < early;
  const share = chance.next();
  const survivors = Array.from({ length: count }, () => chance.happens(share));
  return (index) => survivors[index] === true;
}

function leftOfFile({ durable, pending }: DiskFile, chance: Chance, fate: Fate): Buffer {
  const now = new FileContent(durable.bytes);
  const survives = survivorsOf(pending.length, chance, fate);
  /** Of each sector that was touched, its content at the chosen moment; undefined: as it was synced. */
  const chosen = new Map<number, Buffer | undefined>();
  const touched = new Map<number, number>();
  let size = durable.size;
  pending.forEach((change, index) => {
    const [from, to] = sectorsOf(change, now.size);
    now.apply(change);
    if (survives(index)) ({ size } = now);
    for (let sector = from; sector < to; sector += 1) {
      const times = (touched.get(sector) ?? 0) + 1;
      touched.set(sector, times);
      // Each of the moments so far, the synced one included, is as likely as any other.
      const isTaken = fate === "torn" ? chance.below(times + 1) === 0 : survives(index);
      if (isTaken) chosen.set(sector, sectorOf(now, sector));
      else if (times === 1) chosen.set(sector, undefined);
    }
  });
  const left = new FileContent(durable.bytes);
  left.resize(size);
  // What a file system hands out beyond the old end may be zeros, or what somebody else once wrote.
  const isFoul = chance.happens(0.5);
  for (const [sector, content] of chosen) {
    const at = sector * sectorBytes;
    const isNew = at >= durable.size;
    const bytes = content ?? (isNew && isFoul ? chance.bytes(sectorBytes) : undefined);
    if (bytes === undefined || at >= size) continue;
    left.apply({ kind: "write", at, bytes: bytes.subarray(0, size - at) });
  }
  return left.bytes;
}

function sectorOf({ bytes }: FileContent, sector: number): Buffer {
  const content = Buffer.alloc(sectorBytes);
  // What lies beyond the end, as after a truncation, is zeros.
  bytes.subarray(sector * sectorBytes, (sector + 1) * sectorBytes).copy(content);
  return content;
}
