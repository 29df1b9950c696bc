import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { PlantedBug } from "./planted-bug.ts";
import { makeScratchCopy } from "./scratch-copy.ts";

/**
 * A bug that the type checker sees never gets as far as a test, and shows nothing of the suite. All of
 * them at once, since checking takes longer than most tests; what they leave unused is no matter.
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
    if (code !== 0) throw new Error("a planted bug does not pass the type checker");
  } finally {
    await copy.remove();
  }
}
