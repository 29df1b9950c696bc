import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./certificate-files.ts";

/**
 * Creates the data folder if it is missing. SQLite syncs the files in it, but its name is an entry of the parent
 * folder, and without a sync of the parent a power cut could lose the whole folder.
 */
export async function makeDataFolder(path: string): Promise<void> {
  const made = await makeFolder(path);
  for (const folder of made) await syncFolder(dirname(folder));
}

/**
 * Creates a folder and its parents for the owner alone, and returns those that were missing.
 * Node's recursive mkdir never returns where a file system such as /proc refuses with ENOENT.
 */
export async function makeFolder(path: string): Promise<readonly string[]> {
  const { missing, nearest } = missingFolders(path);
  if (!statSync(nearest).isDirectory()) throw cannotMake(path, `${nearest} is not a folder`);
  for (const folder of missing) {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it in the meantime.
      const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
      if (!isThere) throw cannotMake(path, codeOf(error), error);
    }
  }
  return missing;
}

/** Explains why `makeFolder` or writing to the folder would fail. Read-only. */
export function folderProblem(path: string): string | undefined {
  const { missing, nearest } = missingFolders(path);
  try {
    if (!statSync(nearest).isDirectory()) return `${nearest} is not a folder: choose another one`;
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return missing.length === 0
      ? `${path} is not writable: chown it to the user that runs ironleased`
      : `${path} cannot be made, since ${nearest} is not writable: make it and chown it to the user that runs ironleased`;
  }
  const [first] = missing;
  if (first !== undefined && lstatSync(first, { throwIfNoEntry: false }) !== undefined) {
    return `${first} is a link to something that does not exist: remove the link`;
  }
  return isPseudo(nearest) ? `${nearest} holds no files of ours: choose another folder` : undefined;
}

function missingFolders(path: string): { missing: readonly string[]; nearest: string } {
  const missing: string[] = [];
  let nearest = resolve(path);
  // The root always exists.
  while (!existsSync(nearest)) {
    missing.unshift(nearest);
    nearest = dirname(nearest);
  }
  return { missing, nearest };
}

const tmpfs = 0x01021994;

/** File systems such as /proc and /sys have no blocks; neither has a tmpfs without a limit. */
function isPseudo(folder: string): boolean {
  const { blocks, type } = statfsSync(folder);
  return blocks === 0 && type !== tmpfs;
}

function cannotMake(path: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The folder ${path} cannot be made (${reason}): choose another one, or make it for the user that runs ironleased.`,
    { cause },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
