import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { httpsClient, type Send } from "./https-client.ts";

const bin = fileURLToPath(new URL("../../packages/server/bin/ironleased.js", import.meta.url));

/** Ironleased as people start it: a process of its own. */
export interface Daemon {
  readonly child: ChildProcess;
  readonly url: string;
  /** Where operators reach it. */
  readonly operatorUrl: string;
  readonly send: Send;
  /** As `send`, to the operators' listener. */
  readonly sendToDesk: Send;
  readonly output: () => string;
  /** Sends the signal and resolves with the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let root: string | undefined;

/** A folder of its own under one that goes when the test process does. */
export function temporaryFolder(): string {
  if (root === undefined) {
    const made = mkdtempSync(join(tmpdir(), "ironlease-daemon-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    root = made;
  }
  return mkdtempSync(join(root, "data-"));
}

/** Runs a command of ironleased to its end. */
export function runIronleased(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  node = process.execPath,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [bin, ...args], { env: { PATH: process.env["PATH"], ...env } });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Starts it and waits until it listens. `nodeOptions` are for the Node that it runs on. */
export async function startIronleased(
  command: "preview" | "serve",
  env: Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string },
  nodeOptions: readonly string[] = [],
): Promise<Daemon> {
  const child = spawn(process.execPath, [...nodeOptions, bin, command], {
    env: {
      PATH: process.env["PATH"],
      IRONLEASE_LISTEN: "127.0.0.1:0",
      IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  let isListening = false;
  const url = await new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      output += chunk.toString();
      // Looking through all of it again for every line of a long run would take longer than the run.
      if (isListening) return;
      const found = /"url":"([^"]+)"/.exec(output)?.[1];
      if (found === undefined) return;
      isListening = true;
      resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", () => reject(new Error(`ironleased did not start: ${output}`)));
  });
  const ca = readFileSync(join(env.IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
  const client = httpsClient(url, ca);
  // Both addresses are in one line of the log, so the second is there when the first is.
  const operatorUrl = /"operatorUrl":"([^"]+)"/.exec(output)?.[1] ?? url;
  const desk = httpsClient(operatorUrl, ca);
  return {
    child,
    url,
    operatorUrl,
    send: client.send,
    sendToDesk: desk.send,
    output: () => output,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      const ended = await exited;
      client.close();
      desk.close();
      return ended;
    },
  };
}
