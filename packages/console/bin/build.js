#!/usr/bin/env node
// Builds the console into dist. With --if-needed, only if the sources changed since the last build.
// Plain JavaScript, so that any Node version can run it.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = dirname(dirname(folder));
const dist = join(folder, "dist");
const stampFile = "sources.sha256";

const stamp = stampOf();
const isBuilt = existsSync(join(dist, "site.json"));
if (!process.argv.includes("--if-needed") || !isBuilt || stamp !== readStamp()) await build();

async function build() {
  process.stdout.write("Building the console … ");
  const startedAt = performance.now();
  const { build: viteBuild } = await import("vite");
  // Build beside dist, then swap, so that readers see either the old build or the new one.
  const fresh = join(folder, `dist.${process.pid}`);
  try {
    await viteBuild({
      configFile: join(folder, "vite.config.ts"),
      build: { outDir: fresh },
    });
    compress(fresh);
    writeFileSync(join(fresh, stampFile), stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  process.stdout.write(`done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`);
}

function readStamp() {
  try {
    return readFileSync(join(dist, stampFile), "utf8");
  } catch {
    return undefined;
  }
}

/** Hashes contents, not times, so that switching branches back and forth causes no rebuild. */
function stampOf() {
  const packages = join(repository, "packages");
  const files = [
    ...["account.html", "desk.html", "package.json", "vite.config.ts"].map((name) =>
      join(folder, name),
    ),
    ...filesIn(join(folder, "src")),
    ...filesIn(join(folder, "bin")),
    ...filesIn(join(packages, "client", "src")),
    ...filesIn(join(packages, "contract", "src")),
    ...filesIn(join(packages, "csv", "src")),
    ...filesIn(join(packages, "statement", "src")),
    join(repository, "package-lock.json"),
  ].filter((file) => !file.includes(".test."));
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    hash.update(`${file.slice(repository.length)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Compress at build time at the highest level, so that the server need not compress. */
function compress(root) {
  for (const file of filesIn(join(root, "assets"))) {
    if (![".js", ".css", ".svg"].includes(extname(file))) continue;
    const bytes = readFileSync(file);
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
