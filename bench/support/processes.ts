import { fork, spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { noActionLimits } from "#test/no-action-limits.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import type { BenchCertificate } from "./certificate.ts";

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
  /** Of the last answer, without those that `node:http` adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Listening {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface Running extends Listening {
  readonly operatorPort: number;
  /** From the spawn to the first answered request. */
  readonly startMs: number;
  warningsAndErrors(): readonly string[];
}

export const operatorPassword = "a pass phrase of operators";

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

/** Starts the real service, without TLS unless given a certificate. */
export async function startIronlease(
  databaseUrl?: string,
  dataFolder?: string,
  certificate?: BenchCertificate,
): Promise<Running> {
  const data = dataFolder ?? mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  // The log goes to a file, because reading a pipe would take CPU time from the measured service.
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
        IRONLEASE_TLS:
          certificate === undefined
            ? "off"
            : `${certificate.certificatePath},${certificate.keyPath}`,
        IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
        IRONLEASE_AUTH_LIMITS: "off",
        IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8",
        // Its webhooks lead nowhere.
        IRONLEASE_WEBHOOKS_EVERY: "24h",
        ...noMailServer,
        ...noActionLimits,
        ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
      },
    },
  );
  closeSync(log);
  const port = await portIn(logPath, child, "running");
  const request = `GET /api/health HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  await measure([{ port, requests: [request], ca: certificate?.ca }], {
    seconds: 0,
    connections: 1,
  });
  return {
    port,
    operatorPort: await portIn(logPath, child, "desk"),
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    warningsAndErrors: () => readFileSync(logPath, "utf8").split("\n").filter(isWarningOrError),
    stop: async () => {
      await end(child);
      if (dataFolder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

const isWarningOrError = (line: string) => /"level":[456]0/.test(line);

/** Where the guide that a preview prints names the two listeners. */
const portPatterns = {
  running: /Ironlease is running at \S+:(\d+)/,
  desk: /Desk +\S+:(\d+)/,
};

async function portIn(
  logPath: string,
  child: ChildProcess,
  which: keyof typeof portPatterns,
): Promise<number> {
  while (child.exitCode === null) {
    const port = portPatterns[which].exec(readFileSync(logPath, "utf8"))?.[1];
    if (port !== undefined) return Number(port);
    await setTimeout(10);
  }
  throw new Error("the service ended before it was ready");
}

export async function startBare(
  headers: Record<string, string>,
  body: string,
  certificate?: BenchCertificate,
): Promise<Listening> {
  const child = spawn(process.execPath, [fileOf("./bare-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // On stdin, because the OpenAPI document exceeds the length limit of an argument.
  child.stdin.end(JSON.stringify({ headers, body, certificate }));
  const { port } = JSON.parse(await lineOf(child, () => true)) as { port: number };
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

export interface Target {
  readonly port: number;
  /** Each connection repeats one of them. */
  readonly requests: readonly string[];
  /** The CA certificate to trust; undefined without TLS. */
  readonly ca?: string | undefined;
}

interface MeasureOptions {
  /** For each target. */
  readonly seconds: number;
  readonly connections?: number;
}

/** Puts the targets under load alternately, in slices of a tenth of a second. */
export async function measure<const T extends readonly Target[]>(
  targets: T,
  { seconds, connections = 32 }: MeasureOptions,
): Promise<{ readonly [Place in keyof T]: Measured }> {
  const loader = idleLoaders.pop() ?? fork(fileOf("./load-process.ts"));
  const results = await runTask(loader, { targets, connections, seconds });
  idleLoaders.push(loader);
  return results.map(({ last, ...measured }) => {
    if (measured.wrong > 0) throw new Error(`${measured.wrong} answers were not 2xx: ${last.body}`);
    return { ...measured, headers: headersIn(last.head), body: last.body };
  }) as { readonly [Place in keyof T]: Measured };
}

/** A pool of load processes that are free to reuse. They end with this process. */
const idleLoaders: ChildProcess[] = [];

async function runTask(loader: ChildProcess, task: object): Promise<readonly LoadResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LoadResult[]>();
  const fail = () => reject(new Error("the load process has ended"));
  loader.ref();
  loader.channel?.ref();
  loader.once("exit", fail);
  loader.once("message", (results) => resolve(results as readonly LoadResult[]));
  loader.send(task);
  try {
    return await promise;
  } finally {
    loader.off("exit", fail);
    loader.unref();
    loader.channel?.unref();
  }
}

interface LoadResult extends Pick<Measured, "perSecond" | "p50" | "p99" | "wrong"> {
  readonly last: { readonly head: string; readonly body: string };
}

function headersIn(head: string): Record<string, string> {
  const addedByNode = ["date", "connection", "keep-alive"];
  const pairs = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(/: (.*)/, 2));
  return Object.fromEntries(
    pairs.flatMap(([name = "", value = ""]) =>
      addedByNode.includes(name.toLowerCase()) ? [] : [[name, value]],
    ),
  );
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
