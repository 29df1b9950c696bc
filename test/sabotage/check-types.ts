import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { PlantedBug } from "./planted-bug.ts";
import { makeScratchCopy } from "./scratch-copy.ts";

/**
 * Checks that all planted bugs pass the type checker, because a bug that it rejects would say nothing about the
 * tests. Checks all bugs at once to save time, and ignores what they leave unused.
 */
export async function checkTypes(bugs: readonly PlantedBug[]): Promise<void> {
  const copy = await makeScratchCopy();
  try {
    await copy.plant(bugs);
    const lenient = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
    const tsc = join(copy.root, "node_modules/typescript/bin/tsc");
    const child = spawn(process.execPath, [tsc, "-p", "tsconfig.json", ...lenient], {
      cwd: copy.root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error("A planted bug does not pass the type checker.");
  } finally {
    await copy.remove();
  }
}
