// Starts the compiled program with what V8 compiled when the bundle was made, so that no folder needs to be writable. If
// V8 refuses it, because of other flags for example, the program starts all the same, only slower.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";

const filename = fileURLToPath(new URL("ironleased.cjs", import.meta.url));
export const cacheFile = fileURLToPath(new URL("ironleased.cache", import.meta.url));

/** Compiles the program, or reads it from the cache. */
export function load() {
  return new Script(readFileSync(filename, "latin1"), {
    filename,
    cachedData: existsSync(cacheFile) ? readFileSync(cacheFile) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

export function start(script) {
  script.runInThisContext()(createRequire(filename), filename);
}

/** A start leaves some 15 MB of garbage, which V8 would keep for as long as memory is not short. */
function collectGarbage() {
  globalThis.gc?.({ type: "major", flavor: "last-resort" });
}

if (import.meta.main) {
  start(load());
  setTimeout(collectGarbage, 3_000).unref();
}
