import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Order } from "./child-program.ts";

/** A process of its own that works on a database which others use as well. */
export interface Child {
  order(order: Order): void;
  /** Its next line, or undefined when there is none any more. */
  line(): Promise<string | undefined>;
  /** What it says until it has carried out its order; throws when it does not get that far. */
  report(): Promise<readonly string[]>;
  /** Lets it end, and waits for it. */
  dismiss(): Promise<void>;
  /** Ends it as a power failure would, with no chance to tidy up; gives what it had still said. */
  kill(): Promise<readonly string[]>;
}

/** Starts a process and waits until it has loaded, so that several begin their orders at once. */
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
    const said: string[] = [];
    for (;;) {
      const next = await line();
      if (next === last) return said;
      if (next === undefined) throw new Error(`the child ended after saying ${said.join(", ")}`);
      said.push(next);
    }
  };
  await linesUntil("ready");
  return {
    order: (order) => child.stdin.write(`${JSON.stringify(order)}\n`),
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
