// Runs the compiled program, and when it ends writes what V8 has compiled: node write-cache.mjs START ARGUMENT…
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [node, , path, ...given] = process.argv;
const { cacheFile, load, start } = await import(pathToFileURL(path).href);

process.argv = [node, path, ...given];
const script = load();
process.on("exit", () => writeFileSync(cacheFile, script.createCachedData()));
start(script);
