import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import type { Acknowledgement, Note } from "./acknowledgement.ts";
import { SeededRandom } from "./seeded-random.ts";
import { Client } from "./client.ts";
import { operatorPassword } from "./load-operator.ts";
import { Load } from "./load.ts";
import type { Tree } from "./power-cut.ts";
import { recorderEnvironment } from "./recorder.ts";
import { logTree, findUnrecorded, writeTree } from "./tree-files.ts";
import { readLog, WriteLog } from "./write-log.ts";

export type WeakerSync = "normal" | "off";

export interface DiskAfterCut {
  readonly tree: Tree;
  readonly acknowledgements: readonly Acknowledgement[];
}

export interface RunOptions {
  /** Part of every username and key, so that consecutive runs do not collide. */
  readonly name: string;
  readonly seed: number;
  readonly steps: number;
  /** Whether the service restarts in the middle of the run. */
  readonly restarts: boolean;
  /** The disk after a power cut in the previous run. Without it, the service starts on an empty disk. */
  readonly before?: DiskAfterCut | undefined;
  readonly weakerSync?: WeakerSync | undefined;
}

/**
 * Runs ironleased under load on its own disk. Returns the path of a log of everything written, synced and
 * acknowledged, in order.
 */
export async function recordRun(options: RunOptions): Promise<string> {
  const folder = realpathSync(temporaryFolder());
  const [root, logPath] = [join(folder, "disk"), join(folder, "writes.log")];
  writeFileSync(logPath, "");
  mkdirSync(root);
  writeTree(root, options.before?.tree ?? new Map());
  const log = new WriteLog(logPath);
  try {
    logTree(log, root);
    const append = (note: Note) => log.append({ kind: "note", note });
    options.before?.acknowledgements.forEach((acknowledgement, index) =>
      append({ acknowledged: -1 - index, acknowledgement }),
    );
    append({ began: Date.now() });
    await runUnderLoad(options, await environment(root, logPath, options.weakerSync), append);
  } finally {
    log.close();
  }
  const unrecorded = findUnrecorded(readLog(logPath), root);
  if (unrecorded.length > 0)
    throw new Error(`The recording is incomplete: ${unrecorded.join(", ")}.`);
  return logPath;
}

async function runUnderLoad(
  { name, seed, steps, restarts }: RunOptions,
  env: Awaited<ReturnType<typeof environment>>,
  note: (note: Note) => void,
): Promise<void> {
  const first = await startIronleased("preview", env);
  const client = new Client(first, { note });
  let load: Load | undefined;
  try {
    load = await Load.open(client, name, { random: new SeededRandom(seed) });
    await load.round(steps);
  } finally {
    // SIGTERM checkpoints and removes the write-ahead log; SIGKILL leaves it.
    await first.stop(seed % 2 === 0 ? "SIGTERM" : "SIGKILL");
  }
  if (!restarts) return;
  const second = await startIronleased("preview", env);
  try {
    client.service = second;
    await load.round(steps);
  } finally {
    await second.stop("SIGKILL");
  }
}

async function environment(root: string, log: string, weakerSync: WeakerSync | undefined) {
  const hook = new URL("weaker-sync.ts", import.meta.url).href;
  return {
    // The service must create this folder itself, so that cuts also test the folder's durability.
    IRONLEASE_DATA: join(root, "data"),
    IRONLEASE_AUTH_LIMITS: "off",
    ...noActionLimits,
    IRONLEASE_LOG_LEVEL: "info",
    IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
    ...(await recorderEnvironment(root, log)),
    ...(weakerSync === undefined
      ? {}
      : { WEAKER_SYNC: weakerSync, NODE_OPTIONS: `--import=${hook}` }),
  };
}
