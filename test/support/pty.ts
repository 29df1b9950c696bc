import { spawn, spawnSync } from "node:child_process";
import { questionIn } from "./question-in.ts";
import type { Answer } from "./terminal.ts";

/**
 * Node cannot make a pseudo-terminal without compiled code of somebody's, so util-linux's `script` makes
 * it where it is installed, which is on nearly every Linux. The other `script`s take other options.
 */
export const hasPty = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

/** Runs a line of a shell on a terminal of its own, with somebody who answers questions. */
export async function onTerminal(
  line: string,
  env: Readonly<Record<string, string>>,
  answers: readonly Answer[] = [],
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    env: { PATH: process.env["PATH"], SHELL: "/bin/sh", TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const left = [...answers];
  let [screen, asked] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    screen += text;
    asked += text;
    const [next] = left;
    if (next === undefined || !next[0].test(questionIn(asked))) return;
    left.shift();
    asked = "";
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, screen };
}
