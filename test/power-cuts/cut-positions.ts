import type { Note } from "./acknowledgement.ts";
import type { Chance } from "./chance.ts";
import type { LogRecord } from "./write-log.ts";

/** Where the power goes: so many records have happened, and the next one has not. */
export interface CutPosition {
  readonly position: number;
  readonly where: Where;
}

export type Where = "after an answer" | "at a sync" | "in a checkpoint" | "at a start" | "anywhere";

/** How many of a hundred cuts are there; moments that matter are a small part of a run's records. */
const shares: readonly (readonly [Where, number])[] = [
  ["after an answer", 35],
  ["at a sync", 25],
  ["in a checkpoint", 20],
  ["at a start", 10],
  ["anywhere", 10],
];

/** So many positions in a log, the earliest first. */
export function choosePositions(
  records: readonly LogRecord[],
  count: number,
  chance: Chance,
): readonly CutPosition[] {
  const places = placesIn(records);
  const chosen = Array.from({ length: count }, (_, index): CutPosition => {
    const where = whereOf((index * 100) / count + chance.below(Math.ceil(100 / count)));
    const position = chance.pick(places[where]);
    if (position !== undefined) return { position, where };
    // A short run has no checkpoint, and one that follows a cut may have no first start.
    return { position: chance.pick(places.anywhere) ?? records.length, where: "anywhere" };
  });
  return chosen.toSorted((a, b) => a.position - b.position);
}

function whereOf(percent: number): Where {
  let upTo = 0;
  for (const [where, share] of shares) {
    upTo += share;
    if (percent < upTo) return where;
  }
  return "anywhere";
}

function placesIn(records: readonly LogRecord[]): Readonly<Record<Where, readonly number[]>> {
  const places: Record<Where, number[]> = {
    ...{ "after an answer": [], "at a sync": [], "in a checkpoint": [] },
    ...{ "at a start": [], anywhere: [] },
  };
  const databases = new Set<bigint>();
  let [hasBegun, hasSent] = [false, false];
  records.forEach((record, index) => {
    if (record.kind === "createFile" && record.path.endsWith(".db")) databases.add(record.inode);
    if (record.kind === "note") {
      const note = record.note as Note;
      hasSent ||= "sent" in note;
      if (hasBegun && "acknowledged" in note) places["after an answer"].push(index + 1);
      hasBegun ||= "began" in note;
    }
    if (!hasBegun) return;
    places.anywhere.push(index + 1);
    if (record.kind === "sync") places["at a sync"].push(index, index + 1);
    if (!hasSent) places["at a start"].push(index + 1);
    if (hasSent && "inode" in record && databases.has(record.inode)) {
      places["in a checkpoint"].push(index + 1);
    }
  });
  return places;
}
