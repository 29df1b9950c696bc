import { spawn, spawnSync } from "node:child_process";
import { promptText } from "./prompt-text.ts";
import type { Answer } from "./terminal.ts";

/**
 * Node cannot open a pseudo-terminal without a native addon, so tests use `script` from util-linux, which
 * nearly every Linux has. Other versions of `script` take other options.
 */
export const hasPty = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

/** Runs a shell command on a pseudo-terminal and types the answers to its prompts. */
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
    if (next === undefined || !next[0].test(promptText(asked))) return;
    left.shift();
    asked = "";
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, screen };
}
