import type { Acknowledgement, Call, Note } from "./acknowledgement.ts";
import { SeededRandom } from "./seeded-random.ts";
import { problemsAfterCut, type CutCheck } from "./check-cut.ts";
import { choosePositions, type CutPosition } from "./cut-positions.ts";
import { Disk } from "./disk.ts";
import { survivalModes, treeAfterCut, type SurvivalMode, type Tree } from "./power-cut.ts";
import type { DiskAfterCut } from "./record-run.ts";
import { isSharedMemory } from "./tree-files.ts";
import { readLog, type LogRecord } from "./write-log.ts";

export interface Cut extends CutPosition {
  /** Undefined when each file draws its own. */
  readonly survivalMode: SurvivalMode | undefined;
  readonly acknowledged: number;
  readonly problems: readonly string[];
}

export interface CutOptions {
  readonly cuts: number;
  readonly seed: number;
  /** Every cut checks the database; every n-th cut also starts the service and repeats requests. */
  readonly serviceCheckEvery: number;
}

/** Cuts the power at several positions of a recorded run and checks what each cut leaves. */
export async function cutRecording(logPath: string, options: CutOptions): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  for (const { disk, position, random, check } of cutDisks(readLog(logPath), options)) {
    const survivalMode = random.happens(0.5) ? random.pick(survivalModes) : undefined;
    const checksService = cuts.length % options.serviceCheckEvery === 0;
    const problems = await problemsAfterCut(diskAfterCut(disk, random, survivalMode), {
      ...check,
      checksService,
    });
    const acknowledged = check.known.acknowledgements.length;
    cuts.push({ ...position, survivalMode, acknowledged, problems });
  }
  return cuts;
}

/** Cuts the power once and returns the disk, from which the next run continues. */
export function cutOnce(logPath: string, seed: number): DiskAfterCut | undefined {
  for (const { disk, random, check } of cutDisks(readLog(logPath), { cuts: 1, seed })) {
    const { acknowledgements } = check.known;
    return { tree: diskAfterCut(disk, random, undefined), acknowledgements };
  }
}

/** Replays the log once and yields the disk at each cut position. */
function* cutDisks(
  records: readonly LogRecord[],
  { cuts, seed }: Pick<CutOptions, "cuts" | "seed">,
) {
  const disk = new Disk();
  const clients = new ClientKnowledgeTracker();
  let followed = 0;
  for (const [index, position] of choosePositions(
    records,
    cuts,
    new SeededRandom(seed),
  ).entries()) {
    for (; followed < position.position; followed += 1) {
      const record = records[followed];
      if (record === undefined) throw new Error("A cut position is after the end of the log.");
      disk.apply(record);
      if (record.kind === "note") clients.add(record.note as Note);
    }
    yield {
      disk,
      position,
      random: new SeededRandom(seed * 1_009 + index),
      check: clients.snapshot(),
    };
  }
}

class ClientKnowledgeTracker {
  readonly #acknowledgements: Acknowledgement[] = [];
  readonly #unanswered = new Map<number, Call>();
  #began = 0;

  add(note: Note): void {
    if ("began" in note) this.#began = note.began;
    if ("sent" in note) this.#unanswered.set(note.sent, note.call);
    if (!("acknowledged" in note)) return;
    this.#unanswered.delete(note.acknowledged);
    this.#acknowledgements.push(note.acknowledgement);
  }

  snapshot(): Omit<CutCheck, "checksService"> {
    const unanswered = [...this.#unanswered.values()];
    const known = { acknowledgements: [...this.#acknowledgements], unanswered };
    return { known, now: this.#began + checkDelayMs };
  }
}

/** Time from the start of a run to its check: longer than any run, shorter than a session. */
const checkDelayMs = 10 * 60_000;

function diskAfterCut(
  disk: Disk,
  random: SeededRandom,
  survivalMode: SurvivalMode | undefined,
): Tree {
  return withLostMemory(treeAfterCut(disk.root, random, survivalMode), random);
}

/** The recorder cannot see writes to shared memory, so after a cut it is missing or garbage. */
function withLostMemory(tree: Tree, random: SeededRandom): Tree {
  return new Map(
    [...tree].flatMap(([name, content]): (readonly [string, Buffer | Tree])[] => {
      if (!Buffer.isBuffer(content)) return [[name, withLostMemory(content, random)]];
      if (!isSharedMemory(name)) return [[name, content]];
      return random.happens(0.5) ? [] : [[name, random.bytes(32_768)]];
    }),
  );
}
