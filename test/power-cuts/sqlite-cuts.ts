import type { Acknowledgement, Call, Note } from "./acknowledgement.ts";
import { Chance } from "./chance.ts";
import { problemsAfterCut, type CutCheck } from "./check-cut.ts";
import { choosePositions, type CutPosition } from "./cut-positions.ts";
import { Disk } from "./disk.ts";
import { fates, leftAfterCut, type Fate, type Tree } from "./power-cut.ts";
import type { LeftBefore } from "./record-run.ts";
import { isSharedMemory } from "./tree-files.ts";
import { readLog, type LogRecord } from "./write-log.ts";

export interface Cut extends CutPosition {
  /** Undefined: each file has one of its own. */
  readonly fate: Fate | undefined;
  readonly acknowledged: number;
  readonly problems: readonly string[];
}

export interface CutOptions {
  readonly cuts: number;
  readonly seed: number;
  /** At every how-manieth cut the service is asked, too. */
  readonly asksEvery: number;
}

/** Cuts the power at so many moments of a recorded run, and opens what each has left. */
export async function cutRecording(logPath: string, options: CutOptions): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  for (const { disk, position, chance, known } of cutDisks(readLog(logPath), options)) {
    const fate = chance.happens(0.5) ? chance.pick(fates) : undefined;
    const asks = cuts.length % options.asksEvery === 0;
    const problems = await problemsAfterCut(leftOn(disk, chance, fate), { ...known, asks });
    const acknowledged = known.known.acknowledgements.length;
    cuts.push({ ...position, fate, acknowledged, problems });
  }
  return cuts;
}

/** What one power cut leaves of a run, for the next one to go on from. */
export function cutOnce(logPath: string, seed: number): LeftBefore | undefined {
  for (const { disk, chance, known } of cutDisks(readLog(logPath), { cuts: 1, seed })) {
    const { acknowledgements } = known.known;
    return { tree: leftOn(disk, chance, undefined), acknowledgements };
  }
}

/** Follows the log once, and stops at each of the moments. */
function* cutDisks(
  records: readonly LogRecord[],
  { cuts, seed }: Pick<CutOptions, "cuts" | "seed">,
) {
  const disk = new Disk();
  const clients = new ClientsKnow();
  let followed = 0;
  for (const [index, position] of choosePositions(records, cuts, new Chance(seed)).entries()) {
    for (; followed < position.position; followed += 1) {
      const record = records[followed];
      if (record === undefined) throw new Error("a cut was chosen after the end of the log");
      disk.apply(record);
      if (record.kind === "note") clients.learn(record.note as Note);
    }
    yield { disk, position, chance: new Chance(seed * 1_009 + index), known: clients.now() };
  }
}

class ClientsKnow {
  readonly #acknowledgements: Acknowledgement[] = [];
  readonly #unanswered = new Map<number, Call>();
  #began = 0;

  learn(note: Note): void {
    if ("began" in note) this.#began = note.began;
    if ("sent" in note) this.#unanswered.set(note.sent, note.call);
    if (!("acknowledged" in note)) return;
    this.#unanswered.delete(note.acknowledged);
    this.#acknowledgements.push(note.acknowledgement);
  }

  now(): Omit<CutCheck, "asks"> {
    const unanswered = [...this.#unanswered.values()];
    const known = { acknowledgements: [...this.#acknowledgements], unanswered };
    return { known, now: this.#began + soonMs };
  }
}

/** A run takes less; its sessions last longer. */
const soonMs = 10 * 60_000;

function leftOn(disk: Disk, chance: Chance, fate: Fate | undefined): Tree {
  return withUnknownMemory(leftAfterCut(disk.root, chance, fate), chance);
}

/** Shared memory is written without a call that could be recorded: it is gone, or rubbish. */
function withUnknownMemory(tree: Tree, chance: Chance): Tree {
  return new Map(
    [...tree].flatMap(([name, content]): (readonly [string, Buffer | Tree])[] => {
      if (!Buffer.isBuffer(content)) return [[name, withUnknownMemory(content, chance)]];
      if (!isSharedMemory(name)) return [[name, content]];
      return chance.happens(0.5) ? [] : [[name, chance.bytes(32_768)]];
    }),
  );
}
