import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Task } from "./child-program.ts";

/** A child process that works on a shared database. */
export interface Child {
  start(task: Task): void;
  /** Its next line of output; undefined after the last one. */
  line(): Promise<string | undefined>;
  /** Its output until it has finished its task. Throws if it ends before that. */
  report(): Promise<readonly string[]>;
  /** Closes its standard input and waits until it exits. */
  dismiss(): Promise<void>;
  /** Sends SIGKILL and returns the rest of its output. */
  kill(): Promise<readonly string[]>;
}

/** Starts a process and waits until it has loaded, so that several can start their tasks at the same time. */
export async function startChild(): Promise<Child> {
  const program = fileURLToPath(import.meta.resolve("./child-program.ts"));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    return done === true ? undefined : value;
  };
  const linesUntil = async (last: string | undefined) => {
    const output: string[] = [];
    for (;;) {
      const next = await line();
      if (next === last) return output;
      if (next === undefined)
        throw new Error(`the child ended after printing ${output.join(", ")}`);
      output.push(next);
    }
  };
  await linesUntil("ready");
  return {
    start: (task) => child.stdin.write(`${JSON.stringify(task)}\n`),
    line,
    report: () => linesUntil("done"),
    dismiss: async () => {
      child.stdin.end();
      await exit;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exit;
      return linesUntil(undefined);
    },
  };
}
