import { spawnSync } from "node:child_process";

/** Options that keep a shell from reading start-up files. */
const withoutStartUpFiles: Readonly<Record<string, readonly string[]>> = {
  bash: ["--norc", "--noprofile"],
  zsh: ["--no-rcs"],
  fish: ["--no-config"],
};

/**
 * Runs a shell to its end without anything of the machine's but its programs. bash takes a socket as
 * standard input for a remote login and reads ~/.bashrc, so standard input is closed as well.
 */
export function runShell(shell: string, args: readonly string[]) {
  return spawnSync(shell, [...(withoutStartUpFiles[shell] ?? []), ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
