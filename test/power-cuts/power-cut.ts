import type { SeededRandom } from "./seeded-random.ts";
import { applyTo, DiskFile, type DiskFolder, type Entry } from "./disk.ts";
import { FileContent, sectorBytes, sectorsOf } from "./file-content.ts";

/** The content of a folder: files as bytes, and subfolders. */
export type Tree = ReadonlyMap<string, Buffer | Tree>;

/**
 * Which unsynced changes survive a power cut. In every mode a sector holds its content of one moment since its
 * last sync, because that is what the disk may have received:
 * - nothing, or everything
 * - early: all changes up to some moment
 * - some: a random subset of the changes
 * - torn: each sector's content of a random moment
 */
export const survivalModes = ["nothing", "everything", "early", "some", "torn"] as const;
export type SurvivalMode = (typeof survivalModes)[number];

/** Draws a possible state of the disk after a cut. Without a mode, each file and folder draws its own. */
export function treeAfterCut(
  folder: DiskFolder,
  random: SeededRandom,
  survivalMode?: SurvivalMode,
): Tree {
  const names = new Map(folder.durable);
  const survives = survivorsOf(
    folder.pending.length,
    random,
    survivalMode ?? random.pick(survivalModes),
  );
  folder.pending.forEach((change, index) => {
    if (survives(index)) applyTo(names, change);
  });
  const entries = [...names].map(
    ([name, entry]) => [name, entryAfterCut(entry, random, survivalMode)] as const,
  );
  return new Map(entries);
}

/** The disk with all changes applied. */
export function treeWithAllChanges(folder: DiskFolder): Tree {
  return new Map(
    [...folder.live].map(([name, entry]) => [name, entryWithAllChanges(entry)] as const),
  );
}

function entryWithAllChanges(entry: Entry): Buffer | Tree {
  if (!(entry instanceof DiskFile)) return treeWithAllChanges(entry);
  const content = new FileContent(entry.durable.bytes);
  for (const change of entry.pending) content.apply(change);
  return content.bytes;
}

function entryAfterCut(
  entry: Entry,
  random: SeededRandom,
  survivalMode: SurvivalMode | undefined,
): Buffer | Tree {
  if (!(entry instanceof DiskFile)) return treeAfterCut(entry, random, survivalMode);
  return fileAfterCut(entry, random, survivalMode ?? random.pick(survivalModes));
}

/** Decides which changes survive. For `torn` that sets names and sizes only; sectors are drawn separately. */
function survivorsOf(
  count: number,
  random: SeededRandom,
  survivalMode: SurvivalMode,
): (index: number) => boolean {
  if (survivalMode === "nothing") return () => false;
  if (survivalMode === "everything") return () => true;
  const early = random.below(count + 1);
  if (survivalMode === "early") return (index) => index < early;
  const share = random.next();
  const survivors = Array.from({ length: count }, () => random.happens(share));
  return (index) => survivors[index] === true;
}

function fileAfterCut(
  { durable, pending }: DiskFile,
  random: SeededRandom,
  survivalMode: SurvivalMode,
): Buffer {
  const now = new FileContent(durable.bytes);
  const survives = survivorsOf(pending.length, random, survivalMode);
  /** The chosen content of each changed sector, or undefined for its content at the last sync. */
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
      // Reservoir sampling: every moment so far, including the last sync, is equally likely.
      const isTaken = survivalMode === "torn" ? random.below(times + 1) === 0 : survives(index);
      if (isTaken) chosen.set(sector, sectorOf(now, sector));
      else if (times === 1) chosen.set(sector, undefined);
    }
  });
  const left = new FileContent(durable.bytes);
  left.resize(size);
  // A file system may fill new sectors with zeros or with old data of another file.
  const hasGarbage = random.happens(0.5);
  for (const [sector, content] of chosen) {
    const at = sector * sectorBytes;
    const isNew = at >= durable.size;
    const bytes = content ?? (isNew && hasGarbage ? random.bytes(sectorBytes) : undefined);
    if (bytes === undefined || at >= size) continue;
    left.apply({ kind: "write", at, bytes: bytes.subarray(0, size - at) });
  }
  return left.bytes;
}

function sectorOf({ bytes }: FileContent, sector: number): Buffer {
  const content = Buffer.alloc(sectorBytes);
  // Bytes beyond the end of the file, as after a truncation, are zeros.
  bytes.subarray(sector * sectorBytes, (sector + 1) * sectorBytes).copy(content);
  return content;
}
