import { spawnSync } from "node:child_process";

/** Options that keep a shell from reading start-up files. */
const withoutStartUpFiles: Readonly<Record<string, readonly string[]>> = {
  bash: ["--norc", "--noprofile"],
  zsh: ["--no-rcs"],
  fish: ["--no-config"],
};

/**
 * Runs a shell isolated from the user's configuration. Standard input is /dev/null, because bash treats a
 * socket there as a remote login and reads ~/.bashrc.
 */
export function runShell(
  shell: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return spawnSync(shell, [...(withoutStartUpFiles[shell] ?? []), ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
