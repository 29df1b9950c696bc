import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./certificate-files.ts";

/**
 * Makes the data folder where there is none. SQLite syncs what is in it; that it is there at all is
 * written in the folder around it, and without a sync of that one a power cut would take all of it.
 */
export async function makeDataFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const outermost = dirname(resolve(first));
  for (let folder = resolve(path); folder !== outermost;) {
    folder = dirname(folder);
    await syncFolder(folder);
  }
}
