import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { UsageError } from "@ironlease/command-line";
import type { Call } from "./command.ts";

type BundleCall = Call<{ readonly folder?: string | undefined }>;

/** Not in a literal of `new URL`, because a bundle would then contain a copy. */
const repository = "../../../../";
const builder = new URL(`${repository}packages/console/bin/build.js`, import.meta.url);
const bundler = new URL(`${repository}tools/release/bundle.ts`, import.meta.url);

/** Only the source tree can compile the program, so this runs its scripts. */
export async function bundle({ args: { folder }, print }: BundleCall): Promise<number> {
  if (folder === "") throw new UsageError("FOLDER is empty.", "ironleased bundle --help");
  if (!existsSync(bundler)) {
    print("Nothing was built. A bundle is built from the source tree, after npm ci.");
    return 1;
  }
  const problem = folder === undefined ? undefined : folderProblem(folder);
  if (problem !== undefined) {
    print(`Nothing was built. ${problem}`);
    return 1;
  }
  await runScript(builder, ["--if-needed"]);
  print(await runScript(bundler, folder === undefined ? [] : [folder]));
  return 0;
}

async function runScript(script: URL, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(script), ...args]);
  return stdout.trim();
}

/** Known before the program is compiled, which takes a while. */
function folderProblem(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return `The folder ${folder} cannot be written to (${code}). Choose another folder.`;
  }
}
