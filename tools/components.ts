import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  componentNames,
  componentTable,
  neededComponents,
  type Component,
} from "./component-table.ts";
import { CommandFailed, openAptGet } from "./debian-packages.ts";
import { withFileLock } from "./file-lock.ts";
import { findCommand, findInstalled, findUnpacked, type ReadyComponent } from "./find-component.ts";

/** A component that cannot run here: the reason, and what to do. */
export interface MissingComponent {
  readonly missing: string;
}

export type ComponentState = ReadyComponent | MissingComponent;

export interface ComponentPlace {
  /** The cache of fetched components. */
  readonly folder: string;
  readonly systemRoot: string;
  readonly searchPath: string;
  readonly aptSettings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

type Table<Name extends string> = Readonly<Record<Name, Component>>;
type States<Name extends string> = Readonly<Record<Name, ComponentState>>;

const here: ComponentPlace = {
  folder: fileURLToPath(new URL("../.cache/components", import.meta.url)),
  systemRoot: "/",
  searchPath: process.env["PATH"] ?? "",
  aptSettings: {},
  log: (line) => console.error(line),
};
const neededCommands = ["apt-get", "dpkg-deb", "flock"];
const workPrefix = "fetching-";

export function isMissing(state: ComponentState): state is MissingComponent {
  return "missing" in state;
}

/**
 * Finds each component on the system or in the cache, and fetches the others from Debian without
 * root. Several processes may do this at once.
 */
export async function prepareComponents<Name extends string>(
  table: Table<Name>,
  changes: Partial<ComponentPlace> = {},
): Promise<States<Name>> {
  const place = { ...here, ...changes };
  const found = await findAll(table, place);
  const absent = without(table, found);
  if (namesOf(absent).length === 0) return found as States<Name>;

  const lacking = neededCommands.filter(
    (name) => findCommand(name, place.searchPath) === undefined,
  );
  if (lacking.length > 0) {
    const reason = `This system has no ${lacking.join(", ")} to fetch it with.`;
    return { ...missing(absent, reason), ...found };
  }
  return { ...(await fetchLocked(absent, place)), ...found };
}

async function findAll<Name extends string>(
  table: Table<Name>,
  { folder, systemRoot, searchPath }: ComponentPlace,
): Promise<Partial<States<Name>>> {
  const states: Partial<Record<Name, ComponentState>> = {};
  for (const name of namesOf(table)) {
    const found =
      (await findInstalled(table[name], systemRoot, searchPath)) ??
      (await findUnpacked(table[name], join(folder, name)));
    if (found !== undefined) states[name] = found;
  }
  return states;
}

async function fetchLocked<Name extends string>(
  table: Table<Name>,
  place: ComponentPlace,
): Promise<States<Name>> {
  await mkdir(place.folder, { recursive: true });
  const onWait = (): void => place.log("Waiting for another process that fetches components.");
  return withFileLock(join(place.folder, "lock"), onWait, async (lock) => {
    // Another process may have fetched them while this one waited.
    const found = await findAll(table, place);
    const absent = without(table, found);
    if (namesOf(absent).length === 0) return found as States<Name>;

    await removeInterrupted(place.folder);
    const work = await mkdtemp(join(place.folder, workPrefix));
    try {
      return { ...(await fetchAll(absent, place, work, lock)), ...found };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** A process that was killed leaves its work folder behind. The lock shows that it has ended. */
async function removeInterrupted(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(workPrefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function fetchAll<Name extends string>(
  table: Table<Name>,
  { folder, aptSettings, log }: ComponentPlace,
  work: string,
  lock: number,
): Promise<States<Name>> {
  const states: Partial<Record<Name, ComponentState>> = {};
  try {
    log("Reading the package lists of this system's Debian sources.");
    const aptGet = await openAptGet(join(work, "apt"), lock, aptSettings);
    for (const name of namesOf(table)) {
      log(`Fetching ${name} into ${join(folder, name)}.`);
      const unpacked = join(work, name);
      await aptGet.unpack(table[name].packages, unpacked);
      await replaceFolder(join(folder, name), unpacked);
      const found = await findUnpacked(table[name], join(folder, name));
      if (found !== undefined) states[name] = found;
    }
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const reason = `apt-get could not fetch it. Check the network.\n${error.message}`;
    return { ...missing(table, reason), ...states };
  }
  const reason = "The version that apt-get fetched does not run here or is too old.";
  return { ...missing(table, reason), ...states };
}

/** By renaming, so that other processes see the old folder or the new one, never half of one. */
async function replaceFolder(folder: string, by: string): Promise<void> {
  if (existsSync(folder)) await rename(folder, `${by}.old`);
  await rename(by, folder);
}

function missing<Name extends string>(table: Table<Name>, reason: string): States<Name> {
  const states = namesOf(table).map((name): [Name, ComponentState] => {
    const { packages, version } = table[name];
    const advice = `Install ${name} ${version.minimum} or later, on Debian with: sudo apt-get install ${packages.join(" ")}`;
    return [name, { missing: `${name} is missing. ${reason}\n${advice}` }];
  });
  return Object.fromEntries(states) as Record<Name, ComponentState>;
}

function without<Name extends string>(
  table: Table<Name>,
  found: Partial<States<Name>>,
): Table<Name> {
  const absent = namesOf(table).filter((name) => found[name] === undefined);
  return Object.fromEntries(absent.map((name) => [name, table[name]])) as Table<Name>;
}

function namesOf<Name extends string>(table: Table<Name>): readonly Name[] {
  return Object.keys(table) as Name[];
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(componentTable, name));
  if (unknown.length > 0) {
    throw new Error(`Unknown: ${unknown.join(", ")}. Known: ${componentNames.join(", ")}.`);
  }
  const named = Object.entries(componentTable).filter(([name]) => names.includes(name));
  const chosen = names.length === 0 ? neededComponents : Object.fromEntries(named);
  const states = await prepareComponents(chosen);
  for (const [name, state] of Object.entries(states)) {
    if (isMissing(state)) {
      console.error(state.missing);
      process.exitCode = 1;
    } else console.log(`${name} ${state.version}: ${Object.values(state.programs).join(", ")}`);
  }
}
