import { delimiter, dirname } from "node:path";
import { failoverComponents } from "../../tools/component-table.ts";
import { isMissing, prepareComponents } from "../../tools/components.ts";

type Name = keyof typeof failoverComponents;

/** The programs of a highly available PostgreSQL. */
export interface Programs {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly pgbackrest: string;
  /** The folder of PostgreSQL's programs. */
  readonly binaries: string;
  readonly versions: Readonly<Record<Name, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

export async function findPrograms(): Promise<Programs> {
  const states = await prepareComponents(failoverComponents);
  const missing = Object.values(states).filter(isMissing);
  if (missing.length > 0) throw new Error(missing.map((state) => state.missing).join("\n\n"));
  const ready = Object.entries(states).flatMap(([name, state]) =>
    isMissing(state) ? [] : [{ name, ...state }],
  );
  const programs = Object.assign({}, ...ready.map((one) => one.programs)) as Record<string, string>;
  const versions = Object.fromEntries(ready.map(({ name, version }) => [name, version]));
  const { patroni = "", etcd = "", haproxy = "", pgbackrest = "", postgres = "" } = programs;
  return {
    ...{ patroni, etcd, haproxy, pgbackrest, binaries: dirname(postgres) },
    versions: versions as Programs["versions"],
    environment: joined(ready.map(({ environment }) => environment)),
  };
}

/** Each component has its own folders of libraries and modules, and they start each other. */
function joined(
  environments: readonly Readonly<Record<string, string>>[],
): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [name, value] of environments.flatMap((one) => Object.entries(one))) {
    all[name] = all[name] === undefined ? value : `${all[name]}${delimiter}${value}`;
  }
  return all;
}
