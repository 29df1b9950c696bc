import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { licensesOf } from "./licenses.ts";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The parts of a program that are compiled into one file. */
export interface Compiled {
  /** The licenses of the libraries in the file. */
  readonly licenses: string;
}

/**
 * Compiles a program with everything that it imports into one file. Names stay as they are, so that stack traces stay
 * readable. The file is ASCII, because V8 stores other texts with two bytes per character.
 */
export async function compile(
  entry: string,
  outfile: string,
  options: Pick<BuildOptions, "banner" | "define" | "footer" | "format" | "plugins" | "target">,
): Promise<Compiled> {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    // Some libraries have an ES module beside a CommonJS file that no bundler can follow.
    mainFields: ["module", "main"],
    charset: "ascii",
    minifySyntax: true,
    minifyWhitespace: true,
    // An uncaught error shows its line.
    lineLimit: 200,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  return { licenses: licensesOf(repository, Object.keys(metafile.inputs)) };
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(repository, folder, "package.json"), "utf8")) as Manifest;
}
