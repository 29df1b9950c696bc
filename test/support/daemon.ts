import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { httpsClient, type Send } from "./https-client.ts";

const bin = fileURLToPath(new URL("../../packages/server/bin/ironleased.js", import.meta.url));

/** `ironleased` in a separate process. */
export interface Daemon {
  readonly child: ChildProcess;
  readonly url: string;
  /** The same as `url` when the operators' listener is off. */
  readonly operatorUrl: string;
  readonly send: Send;
  /** Like `send`, to the operators' listener. */
  readonly sendToDesk: Send;
  readonly output: () => string;
  /** Sends the signal and resolves with the exit code or the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let root: string | undefined;

/** A new folder that is removed when the test process exits. */
export function temporaryFolder(): string {
  if (root === undefined) {
    const created = mkdtempSync(join(tmpdir(), "ironlease-daemon-"));
    process.once("exit", () => rmSync(created, { recursive: true, force: true }));
    root = created;
  }
  return mkdtempSync(join(root, "data-"));
}

/** Runs an `ironleased` command until it exits. */
export function runIronleased(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd }: { readonly cwd?: string } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

export interface DaemonOptions {
  /** Write the log to this file instead of a pipe. */
  readonly logPath?: string;
  /** Command-line options for Node. */
  readonly nodeOptions?: readonly string[];
  /** The authority of the certificate, if it is not the local one. */
  readonly ca?: string;
}

/** Starts `ironleased` and waits until it listens. */
export async function startIronleased(
  command: "preview" | "serve",
  env: Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string },
  { logPath, nodeOptions = [], ca: ownCa }: DaemonOptions = {},
): Promise<Daemon> {
  const log = logPath === undefined ? "pipe" : openSync(logPath, "w");
  const child = spawn(process.execPath, [...nodeOptions, bin, command], {
    env: {
      PATH: process.env["PATH"],
      IRONLEASE_LISTEN: "127.0.0.1:0",
      IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
      ...env,
    },
    stdio: ["ignore", log, log],
  });
  if (typeof log === "number") closeSync(log);
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  let piped = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => (piped += chunk.toString()));
  }
  const output = () => (logPath === undefined ? piped : readFileSync(logPath, "utf8"));
  const { url, operatorUrl } = await addressesIn(output, child);
  const ca = ownCa ?? readFileSync(join(env.IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
  const client = httpsClient(url, ca);
  const desk = httpsClient(operatorUrl, ca);
  return {
    child,
    url,
    operatorUrl,
    output,
    send: client.send,
    sendToDesk: desk.send,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      const ended = await exited;
      client.close();
      desk.close();
      return ended;
    },
  };
}

/** The URLs of both listeners, from the log. */
async function addressesIn(
  output: () => string,
  child: ChildProcess,
): Promise<Pick<Daemon, "url" | "operatorUrl">> {
  for (;;) {
    const [, url] = /"url":"([^"]+)"/.exec(output()) ?? [];
    const [, operatorUrl = url] = /"operatorUrl":"([^"]+)"/.exec(output()) ?? [];
    if (url !== undefined && operatorUrl !== undefined) return { url, operatorUrl };
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`ironleased did not start: ${output()}`);
    }
    await delay(10);
  }
}
