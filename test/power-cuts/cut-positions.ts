import type { Note } from "./acknowledgement.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { LogRecord } from "./write-log.ts";

export interface CutPosition {
  /** Number of log records before the cut. */
  readonly position: number;
  readonly location: CutLocation;
}

export type CutLocation =
  | "after an answer"
  | "at a sync"
  | "in a checkpoint"
  | "at a start"
  | "anywhere";

/** Percentage of cuts at each location. Purely random cuts would rarely hit the critical ones. */
const shares: readonly (readonly [CutLocation, number])[] = [
  ["after an answer", 35],
  ["at a sync", 25],
  ["in a checkpoint", 20],
  ["at a start", 10],
  ["anywhere", 10],
];

/** Chooses positions in a log, in ascending order. */
export function choosePositions(
  records: readonly LogRecord[],
  count: number,
  random: SeededRandom,
): readonly CutPosition[] {
  const positions = positionsByLocation(records);
  const chosen = Array.from({ length: count }, (_, index): CutPosition => {
    const location = locationAt((index * 100) / count + random.below(Math.ceil(100 / count)));
    const position = random.pick(positions[location]);
    if (position !== undefined) return { position, location };
    // A short run may have no such location, for example no checkpoint.
    return { position: random.pick(positions.anywhere) ?? records.length, location: "anywhere" };
  });
  return chosen.toSorted((a, b) => a.position - b.position);
}

function locationAt(percent: number): CutLocation {
  let upTo = 0;
  for (const [location, share] of shares) {
    upTo += share;
    if (percent < upTo) return location;
  }
  return "anywhere";
}

function positionsByLocation(
  records: readonly LogRecord[],
): Readonly<Record<CutLocation, readonly number[]>> {
  const positions: Record<CutLocation, number[]> = {
    "after an answer": [],
    "at a sync": [],
    "in a checkpoint": [],
    "at a start": [],
    anywhere: [],
  };
  const databases = new Set<bigint>();
  let [hasBegun, hasSent] = [false, false];
  records.forEach((record, index) => {
    if (record.kind === "createFile" && record.path.endsWith(".db")) databases.add(record.inode);
    if (record.kind === "note") {
      const note = record.note as Note;
      hasSent ||= "sent" in note;
      if (hasBegun && "acknowledged" in note) positions["after an answer"].push(index + 1);
      hasBegun ||= "began" in note;
    }
    if (!hasBegun) return;
    positions.anywhere.push(index + 1);
    if (record.kind === "sync") positions["at a sync"].push(index, index + 1);
    if (!hasSent) positions["at a start"].push(index + 1);
    if (hasSent && "inode" in record && databases.has(record.inode)) {
      positions["in a checkpoint"].push(index + 1);
    }
  });
  return positions;
}
