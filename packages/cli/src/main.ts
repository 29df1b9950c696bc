import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout } from "node:timers/promises";
import { ironlease } from "./commands/index.ts";
import { CommandFailure, usageFailure } from "./failures/failure.ts";
import type { Io } from "./io.ts";
import { writeTrouble } from "./output/probe.ts";
import { run } from "./run.ts";

const interrupted = new AbortController();
const message = "Interrupted. No change was in progress.";
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () =>
    interrupted.abort(new CommandFailure({ exit: "interrupted", code: "interrupted", message })),
  );
}

// A file size limit must fail the write, which is reported, and not kill the program.
process.on("SIGXFSZ", () => undefined);

let outputError: Error | undefined;
process.stdout.on("error", (error) => (outputError ??= error));
// There is nowhere left to report it.
process.stderr.on("error", () => undefined);

const io: Io = {
  // Opened only by commands that read from it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  outputTrouble: () => writeTrouble(1),
  flush: () =>
    new Promise((resolve, reject) => {
      process.stdout.write("", (error) => {
        const failure = outputError ?? error;
        if (failure) reject(failure);
        else resolve();
      });
    }),
  env: process.env,
  cwd: process.cwd(),
  start: (program, args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: "inherit" });
      child.once("error", () =>
        reject(usageFailure(`${program} cannot be run. Install it, or check PATH.`)),
      );
      // As a shell reports a program that a signal ended.
      child.once("close", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    }),
  signal: interrupted.signal,
  wait: async (ms) => {
    await setTimeout(ms, undefined, { signal: interrupted.signal }).catch(() => undefined);
    interrupted.signal.throwIfAborted();
  },
};

process.exitCode = await run(ironlease, process.argv.slice(2), io);
