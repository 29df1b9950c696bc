import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./certificate-files.ts";

/**
 * Creates the data folder if it is missing. SQLite syncs the files in it, but its name is an entry of the parent
 * folder, and without a sync of the parent a power cut could lose the whole folder.
 */
export async function createDataFolder(path: string): Promise<void> {
  const created = await createFolder(path);
  for (const folder of created) await syncFolder(dirname(folder));
}

/**
 * Creates a folder and its missing parents, accessible to the owner only, and returns those that were missing.
 * Node's recursive mkdir never returns on a file system such as /proc, which refuses with ENOENT.
 */
export async function createFolder(path: string): Promise<readonly string[]> {
  const { missing, nearest } = missingFolders(path);
  if (!statSync(nearest).isDirectory()) throw cannotCreate(path, `${nearest} is not a folder`);
  for (const folder of missing) {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it in the meantime.
      const exists = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
      if (!exists) throw cannotCreate(path, codeOf(error), error);
    }
  }
  return missing;
}

/** Explains why `createFolder` or writing to the folder would fail. Read-only. */
export function folderProblem(path: string): string | undefined {
  const { missing, nearest } = missingFolders(path);
  try {
    if (!statSync(nearest).isDirectory()) return `${nearest} is not a folder: choose another one`;
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return missing.length === 0
      ? `${path} is not writable: chown it to the user that runs ironleased`
      : `${path} cannot be created because ${nearest} is not writable: create it and chown it to the user that runs ironleased`;
  }
  const [first] = missing;
  if (first !== undefined && lstatSync(first, { throwIfNoEntry: false }) !== undefined) {
    return `${first} is a symbolic link to a missing file: remove the link`;
  }
  return isVirtual(nearest)
    ? `${nearest} is on a virtual file system: choose another folder`
    : undefined;
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
function isVirtual(folder: string): boolean {
  const { blocks, type } = statfsSync(folder);
  return blocks === 0 && type !== tmpfs;
}

function cannotCreate(path: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The folder ${path} cannot be created (${reason}): choose another one, or create it and chown it to the user that runs ironleased.`,
    { cause },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
