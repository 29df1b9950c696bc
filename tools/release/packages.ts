import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { ironlease } from "#cli/commands/index.ts";
import { completionScript, shells } from "#command-line/completion/index.ts";
import { compile, readManifest, repository, type Manifest } from "./compile.ts";

/** What a published manifest says. The others are for the repository, where packages are TypeScript sources. */
const publishedFields = [
  ...["name", "version", "description", "license", "type", "sideEffects", "engines"],
  ...["exports", "bin", "man"],
];

const [output = join(repository, "dist/npm")] = process.argv.slice(2).map((path) => resolve(path));
writeClient(join(output, "client"));
await writeCli(join(output, "cli"));

/** Modules, so that an application's bundler can leave out what it does not use, and type declarations. */
function writeClient(folder: string): void {
  startPackage("packages/client", folder);
  const tsc = join(repository, "node_modules/.bin/tsc");
  const project = join(repository, "packages/client/tsconfig.build.json");
  execFileSync(tsc, ["-p", project, "--outDir", join(folder, "dist")], { stdio: "inherit" });
  // The compiler leaves `./x.ts` in declarations, which a user's compiler may reject.
  for (const path of globSync(join(folder, "dist/**/*.d.ts"))) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}

/** One file with everything that it needs, so that installing it installs nothing else. */
async function writeCli(folder: string): Promise<void> {
  startPackage("packages/cli", folder);
  const program = join(folder, "bin/ironlease.js");
  const { licenses } = await compile("packages/cli/src/main.ts", program, {
    format: "esm",
    target: "node20",
    banner: { js: "#!/usr/bin/env node" },
  });
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licenses);
  cpSync(join(repository, "packages/cli/man"), join(folder, "man"), { recursive: true });
  mkdirSync(join(folder, "completions"));
  for (const shell of shells) {
    const script = completionScript(shell, ironlease);
    writeFileSync(join(folder, "completions", `ironlease.${shell}`), script);
  }
}

/** A new folder with what every package has. */
function startPackage(source: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = publishedManifest(readManifest(source));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  cpSync(join(repository, source, "README.md"), join(folder, "README.md"));
  cpSync(join(repository, "LICENSE"), join(folder, "LICENSE"));
}

function publishedManifest(manifest: Manifest): object {
  const published = { ...manifest, ...(manifest["publishConfig"] as object | undefined) };
  return Object.fromEntries(
    Object.entries(published).filter(([field]) => publishedFields.includes(field)),
  );
}
