import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { Client } from "pg";
import type { Db } from "#server/ports/db.ts";
import { findFreePort } from "#test/free-port.ts";
import { openAt } from "#test/open-at.ts";
import { superviseProcess } from "#test/supervised-process.ts";
import { handToUnprivileged, unprivileged } from "#test/unprivileged-user.ts";
import { lostChanges } from "../power-cuts/acknowledgement.ts";
import { brokenInvariants } from "../power-cuts/check-cut.ts";
import type { Cluster } from "./cluster.ts";
import { openRecordedLoad } from "./load-once.ts";
import type { Node } from "./node.ts";
import { superuser } from "./settings.ts";
import type { TestBed } from "./test-bed.ts";

export interface Restore {
  /** Acknowledged changes from before the point in time, which must be present, and from after it, which must not. */
  readonly kept: number;
  readonly undone: number;
  readonly problems: readonly string[];
}

/** Creates the repository and a full backup. */
export async function backUp(cluster: Cluster): Promise<void> {
  const leader = await cluster.leader();
  await pgbackrest(cluster, leader, ["stanza-create"]);
  await pgbackrest(cluster, leader, ["--type=full", "backup"]);
}

/** Restores the backup to a point in time between two loads, next to the cluster. */
export async function restoreToPoint(bed: TestBed, seed: number): Promise<Restore> {
  const { cluster } = bed;
  const load = await openRecordedLoad(bed, "restore", seed);
  await load.round();
  const before = [...load.acknowledgements];
  const leader = await cluster.leader();
  const point = await ask(leader, "clock_timestamp()::text");
  await load.round();
  const after = load.acknowledgements.slice(before.length);
  const segment = await ask(leader, "pg_walfile_name(pg_switch_wal())");
  await cluster.until("the archive has the write-ahead log", async () => {
    const archived = await ask(leader, "(select last_archived_wal from pg_stat_archiver)");
    return archived >= segment;
  });
  const folder = join(cluster.folder, "restored");
  await mkdir(folder, { mode: 0o700 });
  await handToUnprivileged(folder);
  await pgbackrest(cluster, leader, [
    ...[`--pg1-path=${folder}/data`, "--type=time", `--target=${point}`],
    ...["--target-action=promote", "restore"],
  ]);
  return checkRestored(bed, folder, { before, after });
}

async function checkRestored(
  { cluster, databaseUrl }: TestBed,
  folder: string,
  { before, after }: Record<"before" | "after", Parameters<typeof lostChanges>[1]>,
): Promise<Restore> {
  const port = await findFreePort();
  const server = superviseProcess({
    folder,
    user: unprivileged,
    program: join(cluster.programs.binaries, "postgres"),
    arguments: [
      ...["-D", "data", "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"],
      ...["-c", "archive_mode=off", "-c", "synchronous_standby_names="],
    ],
    environment: cluster.programs.environment,
  });
  try {
    const url = new URL(databaseUrl);
    url.port = String(port);
    const db = await openRestored(cluster, url.href);
    try {
      const undone = await lostChanges(db, after);
      const problems = [...(await lostChanges(db, before)), ...(await brokenInvariants(db))];
      if (undone.length === 0)
        problems.push("the restore has changes from after its point in time");
      return { kept: before.length, undone: after.length, problems };
    } finally {
      await db.close();
    }
  } finally {
    await server.remove();
  }
}

/** Resolves when the server has recovered to its point in time. */
async function openRestored(cluster: Cluster, url: string): Promise<Db> {
  let opened: Db | undefined;
  await cluster.until("the restored server accepts writes", async () => {
    // It refuses connections until it starts.
    opened ??= await openAt("postgres", url).catch(() => undefined);
    if (opened === undefined) return false;
    const answer = await sql<{ waits: boolean }>`select pg_is_in_recovery() as waits`
      .execute(opened.read)
      .catch(() => undefined);
    return answer?.rows[0]?.waits === false;
  });
  return opened as Db;
}

/** Asks the primary as the superuser for one value. */
async function ask({ addresses }: Node, value: string): Promise<string> {
  const { username: user, password } = superuser;
  const client = new Client({ host: "127.0.0.1", port: addresses.postgres, user, password });
  try {
    await client.connect();
    const answer = await client.query<{ value: string }>(`select ${value} as value`);
    return answer.rows[0]?.value ?? "";
  } finally {
    await client.end();
  }
}

async function pgbackrest(
  { programs }: Cluster,
  { addresses }: Node,
  parameters: readonly string[],
): Promise<void> {
  const all = [`--config=${addresses.folder}/pgbackrest.conf`, "--stanza=ironlease", ...parameters];
  const child = spawn(programs.pgbackrest, all, {
    ...unprivileged,
    cwd: addresses.folder,
    env: { PATH: process.env["PATH"], ...programs.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const [code, output, errors] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new Error(`pgbackrest ${parameters.at(-1)}: ${output}${errors}`);
}
