import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The fenced code blocks of a Markdown page that are marked with the language, in order. */
export function codeBlocks(page: string, language: string): readonly string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return Array.from(text.matchAll(fence), ([, block = ""]) => block);
}

/** Why a page's programs cannot run on this machine, for the `skip` option of a test. */
export function missingPrograms(...programs: readonly string[]): string | false {
  const missing = programs.filter((name) => spawnSync(name, ["--version"]).status !== 0);
  return missing.length > 0 && `install ${missing.join(", ")}`;
}

export interface Step {
  readonly commands: string;
  readonly output: string;
}

interface Shell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commands that run before the first block. */
  readonly prelude?: string;
}

/** Runs blocks in one shell, which stops at the first failure, and returns the output of each. */
export async function runBlocks(
  blocks: readonly string[],
  { folder, env, prelude = "" }: Shell,
): Promise<readonly Step[]> {
  const mark = "---- end of block ----";
  const script = blocks.map((block) => `${block}echo '${mark}'\n`).join("");
  const shell = spawn("sh", ["-c", `set -eu\n${prelude}${script}`], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  shell.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  shell.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => shell.once("close", resolve));
  assert.equal(code, 0, `${stdout}${stderr}`);
  const outputs = stdout.split(`${mark}\n`);
  return blocks.map((commands, index) => ({ commands, output: outputs[index] ?? "" }));
}

/** Finds the output of the block that contains the command. */
export function outputOf(steps: readonly Step[], command: string): string {
  const step = steps.find(({ commands }) => commands.includes(command));
  return step?.output ?? assert.fail(`The page has no command with ${command}.`);
}
