import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isMissing, prepareComponents } from "./components.ts";
import { findCommand } from "./find-component.ts";
import type { Component } from "./component-table.ts";

/** How to start anvil, a node of Ethereum for tests. */
export interface AnvilProgram {
  readonly program: string;
  readonly arguments: readonly string[];
}

export type AnvilState = AnvilProgram | { readonly missing: string };

const root = fileURLToPath(new URL("..", import.meta.url));
const packageName = "@foundry-rs/anvil-linux-amd64";
const advice = "Install Foundry 1.7 or later, so that anvil is on the PATH.";
const run = promisify(execFile);

/** Runs programs for x64 on arm64. The registry has no anvil for Linux on arm64. */
const emulator: Component = {
  packages: ["qemu-user-static", "libc6-amd64-cross", "libgcc-s1-amd64-cross"],
  programs: { qemu: "usr/bin/qemu-x86_64-static" },
  version: {
    program: "qemu",
    arguments: ["--version"],
    pattern: /version (\d+(?:\.\d+)+)/,
    minimum: "7.0",
  },
};

/** Finds anvil on the PATH or among the packages of npm. On arm64 it fetches the x64 build and an emulator. */
export async function prepareAnvil(searchPath = process.env["PATH"] ?? ""): Promise<AnvilState> {
  const onPath = findCommand("anvil", searchPath);
  if (onPath !== undefined) return { program: onPath, arguments: [] };
  const installed = join(root, "node_modules", packageName, "bin", "anvil");
  if (existsSync(installed)) return { program: installed, arguments: [] };
  if (process.platform !== "linux" || process.arch !== "arm64") {
    return { missing: `anvil is missing. ${advice}` };
  }
  // A system's own emulator may lack the libraries, so only the fetched one is used.
  const place = { systemRoot: "/nonexistent", searchPath };
  const { qemu } = await prepareComponents({ qemu: emulator }, place);
  if (isMissing(qemu)) return { missing: `anvil is missing. ${advice}\n${qemu.missing}` };
  try {
    const libraries = join(qemu.root, "usr", "x86_64-linux-gnu");
    return {
      program: qemu.programs["qemu"] ?? "",
      arguments: ["-L", libraries, await fetchAnvil(join(qemu.root, "..", "anvil"))],
    };
  } catch (error) {
    return { missing: `anvil is missing. npm could not fetch it: ${String(error)}\n${advice}` };
  }
}

/** Downloads the package that npm does not install on this system, as the lock file pins it. */
async function fetchAnvil(folder: string): Promise<string> {
  const program = join(folder, "package", "bin", "anvil");
  if (existsSync(program)) return program;
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const pinned = lock.packages[`node_modules/${packageName}`];
  if (pinned === undefined) throw new Error(`The lock file lacks ${packageName}.`);
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}-`);
  try {
    await run("npm", ["pack", `${packageName}@${pinned.version}`, "--pack-destination", work]);
    const [archive = ""] = await readdir(work);
    const digest = createHash("sha512").update(await readFile(join(work, archive)));
    if (`sha512-${digest.digest("base64")}` !== pinned.integrity) {
      throw new Error(`${packageName} differs from the one in the lock file.`);
    }
    await run("tar", ["-xzf", join(work, archive), "-C", work]);
    // Another process may have been faster.
    if (!existsSync(folder)) await rename(work, folder);
    return program;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
