import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { editsOf, withEdit, type PlantedBug } from "./planted-bug.ts";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of the repository in which to plant bugs. No link in it leads back to the original sources. */
export interface ScratchCopy {
  readonly root: string;
  /** Plants the bugs. Returns a function that removes them. */
  plant(bugs: readonly PlantedBug[]): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** Not copied: git data, local service data, installed packages, builds and logs. */
const excluded = /^(?:\.git|data)$|(?:^|\/)(?:node_modules|dist(?:\.[^/]+)?)$|\.(?:log|tgz|kept)$/;
/** The workspace's own packages, whose links must point into the copy. */
const ownScope = "@ironlease";

export async function makeScratchCopy(): Promise<ScratchCopy> {
  const root = await mkdtemp(join(tmpdir(), "ironlease-sabotage-"));
  await cp(repository, root, {
    recursive: true,
    filter: (source) => !excluded.test(relative(repository, source)),
  });
  await linkPackages(root);
  return {
    root,
    plant: (bugs) => plant(root, bugs),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Links third-party packages to the original's, because they never load the workspace's modules. */
async function linkPackages(root: string): Promise<void> {
  const [from, to] = [join(repository, "node_modules"), join(root, "node_modules")];
  await mkdir(join(to, ownScope), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== ownScope && name !== ".cache") await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, ownScope))) {
    const folder = relative(repository, await realpath(join(from, ownScope, name)));
    await symlink(join(root, folder), join(to, ownScope, name));
  }
}

async function plant(root: string, bugs: readonly PlantedBug[]): Promise<() => Promise<void>> {
  const originals = new Map<string, string>();
  for (const edit of bugs.flatMap(editsOf)) {
    const path = join(root, edit.file);
    const text = await readFile(path, "utf8");
    if (!originals.has(path)) originals.set(path, text);
    await writeFile(path, withEdit(text, edit));
  }
  return async () => {
    for (const [path, text] of originals) await writeFile(path, text);
  };
}
