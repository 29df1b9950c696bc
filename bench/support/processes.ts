import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
}

export interface Running {
  readonly port: number;
  readonly pid: number;
  /** From the spawn to the first answered request. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function lineOf(child: ChildProcess, matches: (line: string) => boolean): Promise<string> {
  if (child.stdout === null) throw new Error("the process has no output");
  for await (const line of createInterface({ input: child.stdout })) if (matches(line)) return line;
  throw new Error("the process ended before it was ready");
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exited;
}

/** The real service, without TLS and with everything else switched on, in a process of its own. */
export async function startIronlease(databaseUrl?: string, dataFolder?: string): Promise<Running> {
  const data = dataFolder ?? mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  // The log goes to a file: reading it through a pipe would take a core from what is measured.
  const logPath = join(data, "log");
  const log = openSync(logPath, "w");
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [fileOf("../../packages/server/bin/ironleased.js"), "preview"],
    {
      stdio: ["ignore", log, "inherit"],
      env: {
        PATH: process.env["PATH"],
        IRONLEASE_DATA: data,
        IRONLEASE_LISTEN: "127.0.0.1:0",
        IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
        IRONLEASE_TLS: "off",
        IRONLEASE_AUTH_LIMITS: "off",
        ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
      },
    },
  );
  closeSync(log);
  const port = await portIn(logPath, child);
  const health = await fetch(`http://127.0.0.1:${port}/api/health`);
  if (health.status !== 200) throw new Error(`the service answered ${health.status}`);
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    stop: async () => {
      await end(child);
      if (dataFolder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

async function portIn(logPath: string, child: ChildProcess): Promise<number> {
  while (child.exitCode === null) {
    const port = /Ironlease is running at \S+:(\d+)/.exec(readFileSync(logPath, "utf8"))?.[1];
    if (port !== undefined) return Number(port);
    await setTimeout(10);
  }
  throw new Error("the service ended before it was ready");
}

export async function startBare(headers: Record<string, string>, body: string): Promise<Running> {
  const child = spawn(
    process.execPath,
    [fileOf("./bare-server.ts"), JSON.stringify({ headers, body })],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const { port } = JSON.parse(await lineOf(child, () => true)) as { port: number };
  return { port, pid: child.pid ?? 0, startMs: 0, stop: () => end(child) };
}

export async function measure(
  port: number,
  request: string,
  seconds: number,
  connections = 32,
): Promise<Measured> {
  const options = JSON.stringify({ port, request, connections, seconds });
  const child = spawn(process.execPath, [fileOf("./load-process.ts"), options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const measured = JSON.parse(await lineOf(child, () => true)) as Measured;
  if (measured.wrong > 0) throw new Error(`${measured.wrong} answers were not 2xx`);
  return measured;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
