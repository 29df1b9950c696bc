import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, globSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Component } from "./component-table.ts";

/** A component that can run here. */
export interface ReadyComponent {
  readonly version: string;
  /** The programs by name, as absolute paths. */
  readonly programs: Readonly<Record<string, string>>;
  /** Where the packages were unpacked, or the system's own root. */
  readonly root: string;
  /** Variables for the programs' own environment. No other process should get them. */
  readonly environment: Readonly<Record<string, string>>;
}

type Candidate = Omit<ReadyComponent, "version">;

const longestProbeMs = 60_000;

/** The component below a root into which its packages were unpacked. */
export async function findUnpacked(
  component: Component,
  root: string,
): Promise<ReadyComponent | undefined> {
  const programs = locatePrograms(component, (_, path) => locate(root, path));
  return checkVersion(component, {
    programs,
    root,
    environment: { ...libraryPathOf(root), ...pythonPathOf(root) },
  });
}

/** The component as the system has it: where its packages install it, or on the search path. */
export async function findInstalled(
  component: Component,
  root: string,
  searchPath: string,
): Promise<ReadyComponent | undefined> {
  const installed = locatePrograms(component, (_, path) => locate(root, path));
  const onPath = locatePrograms(component, (name) => findCommand(name, searchPath));
  return (
    (await checkVersion(component, { programs: installed, root, environment: {} })) ??
    (await checkVersion(component, { programs: onPath, root, environment: {} }))
  );
}

export function findCommand(name: string, searchPath: string): string | undefined {
  const files = searchPath.split(delimiter).map((folder) => join(folder, name));
  return files.find(isExecutable);
}

/** The last match, because Debian keeps several versions of PostgreSQL side by side. */
function locate(root: string, pattern: string): string | undefined {
  const path = globSync(pattern, { cwd: root }).toSorted().at(-1);
  return path === undefined ? undefined : join(root, path);
}

function locatePrograms(
  { programs }: Component,
  locateProgram: (name: string, path: string) => string | undefined,
): Readonly<Record<string, string>> {
  const located: Record<string, string> = {};
  for (const [name, path] of Object.entries(programs)) {
    located[name] = locateProgram(name, path) ?? "";
  }
  return located;
}

/** Undefined unless every program exists, runs with the libraries that are here, and is new enough. */
async function checkVersion(
  { version: { program, arguments: parameters, pattern, minimum } }: Component,
  candidate: Candidate,
): Promise<ReadyComponent | undefined> {
  if (!Object.values(candidate.programs).every(isExecutable)) return undefined;
  const file = candidate.programs[program];
  if (file === undefined) throw new Error(`The table has no program ${program}.`);
  const output = await outputOf(file, parameters, candidate.environment);
  const found = pattern.exec(output);
  if (found === null) return undefined;
  const [, version] = found;
  if (version !== undefined && isOlder(version, minimum)) return undefined;
  return { version: version ?? "of unknown version", ...candidate };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * No version when the program cannot run, for example because the system has lost a library. The exit code says
 * nothing: `pdns_server --version` exits with 99.
 */
async function outputOf(
  file: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, parameters, {
      env: { ...process.env, ...environment },
      timeout: longestProbeMs,
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}

function isOlder(version: string, minimum: string): boolean {
  const have = version.split(".").map(Number);
  for (const [index, wanted] of minimum.split(".").map(Number).entries()) {
    const difference = (have[index] ?? 0) - wanted;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * Debian keeps libraries in a folder for the architecture, such as usr/lib/x86_64-linux-gnu, and those that only a few
 * packages share in folders below it.
 */
function libraryPathOf(root: string): Readonly<Record<string, string>> {
  const triplet = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  const files = globSync(`{lib,usr/lib}/${triplet}/{,*/}lib*.so*`, { cwd: root });
  const folders = new Set(files.map((file) => join(root, dirname(file))));
  return folders.size === 0 ? {} : { LD_LIBRARY_PATH: [...folders].toSorted().join(delimiter) };
}

/** Debian's own Python does not look for modules in the folder that they were unpacked to. */
function pythonPathOf(root: string): Readonly<Record<string, string>> {
  const folder = join(root, "usr/lib/python3/dist-packages");
  return existsSync(folder) ? { PYTHONPATH: folder } : {};
}
