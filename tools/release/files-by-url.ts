import { cpSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OnLoadResult, Plugin } from "esbuild";

/**
 * Copies the files and folders that modules name by `new URL("…", import.meta.url)` or `import.meta.resolve("…")` to
 * `files` beside the compiled file, and points the modules to the copies.
 */
export function filesByUrl(repository: string, outfile: string): Plugin {
  return {
    name: "files-by-url",
    setup(build) {
      build.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) =>
        withCopies(path, (file) => copy(repository, outfile, file)),
      );
    },
  };
}

function withCopies(path: string, copied: (file: string) => string): OnLoadResult | undefined {
  const text = readFileSync(path, "utf8");
  if (!text.includes("import.meta.")) return undefined;
  const contents = text
    .replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (_, name: string) =>
      copied(fileURLToPath(new URL(name, pathToFileURL(path)))),
    )
    .replaceAll(
      /import\.meta\.resolve\("([^"]+)"\)/g,
      (_, name: string) => `${copied(createRequire(path).resolve(name))}.href`,
    );
  if (/import\.meta\.(?!url\))/.test(contents)) {
    throw new Error(`${path} uses import.meta in a way that the bundle does not support.`);
  }
  return { contents, loader: "ts" };
}

/** The expression for the copy's URL. */
function copy(repository: string, outfile: string, file: string): string {
  const target = join("files", relative(repository, file));
  cpSync(file, join(dirname(outfile), target), { recursive: true });
  return `new URL(${JSON.stringify(target)}, import.meta.url)`;
}
