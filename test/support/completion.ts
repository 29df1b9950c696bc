import assert from "node:assert/strict";
import type { Program } from "@ironlease/command-line";
import { completionScript } from "@ironlease/command-line/completion";
import { runShell } from "./shell.ts";

/** Not every machine has every shell. Passed to a test as `skip`. */
export function missingShell(shell: string): string | false {
  return runShell(shell, ["-c", "exit 0"]).status !== 0 && `${shell} is not installed`;
}

/** What bash offers after these words, the last of which is being typed. */
export function bashOffers(
  program: Program,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
): readonly string[] {
  const quoted = [program.name, ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", program)}
COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _${program.name}
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = runShell("bash", ["-u", "-c", script], env);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return linesOf(stdout);
}

/** What zsh offers: its completion functions are replaced by some that print the words. */
export function zshOffers(
  program: Program,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
): readonly string[] {
  const quoted = [program.name, ...words].map((word) => `'${word}'`).join(" ");
  const script = `compdef() { : }
_describe() { print -rl -- "\${(@P)2}" }
${completionScript("zsh", program)}
words=(${quoted}); CURRENT=$#words; _${program.name}`;
  const { stdout, stderr } = runShell("zsh", ["-c", script], env);
  assert.equal(stderr, "");
  // A colon ends the word unless a backslash precedes it.
  return linesOf(stdout).map((line) => line.replace(/(?<!\\):.*/, "").replaceAll("\\:", ":"));
}

/** What fish offers. */
export function fishOffers(
  program: Program,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
): readonly string[] {
  const script = `${completionScript("fish", program)}
complete -C '${[program.name, ...words].join(" ")}'`;
  const { stdout, stderr } = runShell("fish", ["-c", script], env);
  assert.equal(stderr, "");
  return linesOf(stdout).map((line) => line.replace(/\t.*/, ""));
}

function linesOf(stdout: string): readonly string[] {
  return stdout.split("\n").filter((line) => line !== "");
}
