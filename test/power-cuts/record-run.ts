import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import type { Acknowledgement, Note } from "./acknowledgement.ts";
import { Chance } from "./chance.ts";
import { Client } from "./client.ts";
import { operatorPassword } from "./load-operator.ts";
import { Load } from "./load.ts";
import type { Tree } from "./power-cut.ts";
import { recorderEnvironment } from "./recorder.ts";
import { logTree, missedIn, writeTree } from "./tree-files.ts";
import { readLog, WriteLog } from "./write-log.ts";

export type Weakness = "normal" | "off";

export interface LeftBefore {
  readonly tree: Tree;
  readonly acknowledgements: readonly Acknowledgement[];
}

export interface RunOptions {
  /** Part of every name and key, so that runs that follow on each other do not meet. */
  readonly name: string;
  readonly seed: number;
  readonly steps: number;
  /** Whether the service is stopped in the middle and started again. */
  readonly restarts: boolean;
  /** What a power cut has left of the run before; without it the service starts for the first time. */
  readonly before?: LeftBefore | undefined;
  readonly weakness?: Weakness | undefined;
}

/**
 * Runs ironleased on a disk of its own under load, and gives the path of a log with everything that was
 * written, synced and acknowledged, in the order it happened.
 */
export async function recordRun(options: RunOptions): Promise<string> {
  const place = realpathSync(temporaryFolder());
  const [root, logPath] = [join(place, "disk"), join(place, "writes.log")];
  writeFileSync(logPath, "");
  mkdirSync(root);
  writeTree(root, options.before?.tree ?? new Map());
  const log = new WriteLog(logPath);
  try {
    logTree(log, root);
    const note = (made: Note) => log.append({ kind: "note", note: made });
    options.before?.acknowledgements.forEach((acknowledgement, index) =>
      note({ acknowledged: -1 - index, acknowledgement }),
    );
    note({ began: Date.now() });
    await runUnderLoad(options, await environment(root, logPath, options.weakness), note);
  } finally {
    log.close();
  }
  const missed = missedIn(readLog(logPath), root);
  if (missed.length > 0) throw new Error(`the recording is not complete: ${missed.join(", ")}`);
  return logPath;
}

async function runUnderLoad(
  { name, seed, steps, restarts }: RunOptions,
  env: Awaited<ReturnType<typeof environment>>,
  note: (made: Note) => void,
): Promise<void> {
  const first = await startIronleased("preview", env);
  const client = new Client(first, { note });
  let load: Load | undefined;
  try {
    load = await Load.open(client, name, { chance: new Chance(seed) });
    await load.round(steps);
  } finally {
    // In order, so that the log is checkpointed and removed, or as a crash that leaves both.
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

async function environment(root: string, log: string, weakness: Weakness | undefined) {
  const hook = new URL("weaker-sync.ts", import.meta.url).href;
  return {
    // In a folder that the service has to make, since that one must be there after a cut as well.
    IRONLEASE_DATA: join(root, "data"),
    IRONLEASE_AUTH_LIMITS: "off",
    ...noActionLimits,
    IRONLEASE_LOG_LEVEL: "info",
    IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
    ...(await recorderEnvironment(root, log)),
    ...(weakness === undefined ? {} : { WEAKER_SYNC: weakness, NODE_OPTIONS: `--import=${hook}` }),
  };
}
