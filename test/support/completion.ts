import assert from "node:assert/strict";
import type { Program } from "@ironlease/command-line";
import { completionScript } from "@ironlease/command-line/completion";
import { runShell } from "./shell.ts";

/** Not every machine has every shell. Passed to a test as `skip`. */
export function missingShell(shell: string): string | false {
  return runShell(shell, ["-c", "exit 0"]).status !== 0 && `${shell} is not installed`;
}

/** What bash offers after these words, the last of which is being typed. */
export function bashOffers(program: Program, words: readonly string[]): readonly string[] {
  const quoted = [program.name, ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", program)}
COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _${program.name}
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = runShell("bash", ["-u", "-c", script]);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout.split("\n").filter((word) => word !== "");
}
