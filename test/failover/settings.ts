import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import type { EtcdDriver } from "./etcd-driver.ts";

/** Settings of the whole cluster, which Patroni keeps in etcd. */
export type ClusterSettings = Readonly<Record<string, unknown>>;

interface PatroniFile {
  readonly restapi: { readonly authentication: { readonly username: string; password: string } };
  readonly etcd3: object;
  readonly bootstrap: {
    readonly dcs: ClusterSettings & {
      readonly loop_wait: number;
      readonly postgresql: { readonly parameters: { readonly archive_command: string } };
    };
  };
  readonly postgresql: {
    readonly authentication: { readonly superuser: { username: string; password: string } };
  };
}

const deployed = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/patroni/${name}`, import.meta.url)), "utf8");

export const patroniFile = parse(deployed("patroni.yml")) as PatroniFile;
export const clusterSettings = patroniFile.bootstrap.dcs;
export const { superuser } = patroniFile.postgresql.authentication;

export interface NodeAddresses {
  readonly name: string;
  readonly folder: string;
  readonly api: number;
  readonly postgres: number;
  /** The ports at which the others reach it. */
  readonly linkedApi: number;
  readonly linkedPostgres: number;
}

/** The example configuration for one node on loopback. */
export function patroniConfiguration(
  node: NodeAddresses,
  etcd: { readonly driver: EtcdDriver; readonly port: number },
  { binaries, pgbackrest }: { readonly binaries: string; readonly pgbackrest: string },
): string {
  const { etcd3: _, ...file } = patroniFile;
  const { archive_command: archiveCommand } = clusterSettings.postgresql.parameters;
  const configuration = {
    ...file,
    name: node.name,
    restapi: {
      ...file.restapi,
      listen: `127.0.0.1:${node.api}`,
      connect_address: `127.0.0.1:${node.linkedApi}`,
    },
    [etcd.driver]: { hosts: `127.0.0.1:${etcd.port}` },
    postgresql: {
      ...file.postgresql,
      listen: `127.0.0.1:${node.postgres}`,
      connect_address: `127.0.0.1:${node.linkedPostgres}`,
      data_dir: `${node.folder}/data`,
      bin_dir: binaries,
      pgpass: `${node.folder}/pgpass`,
      // The command names the node's own configuration, so it cannot be a setting of the whole cluster.
      parameters: { unix_socket_directories: node.folder, archive_command: archiveCommand },
    },
  };
  // Here the user of the operating system is not called postgres. Only that user can enter the folder of the socket.
  const local = ["local all all peer", "local all all trust"] as const;
  const own = `${pgbackrest} --config=${node.folder}/pgbackrest.conf --stanza`;
  return stringify(configuration)
    .replaceAll("pgbackrest --stanza", own)
    .replace(...local);
}

/** The example configuration for nodes on loopback. */
export function haproxyConfiguration(port: number, nodes: readonly NodeAddresses[]): string {
  let text = deployed("haproxy.cfg").replace("127.0.0.1:5000", `127.0.0.1:${port}`);
  for (const { name, linkedPostgres, linkedApi } of nodes) {
    text = text.replace(
      new RegExp(`server ${name} .*`),
      `server ${name} 127.0.0.1:${linkedPostgres} check port ${linkedApi}`,
    );
  }
  return text;
}

export function pgbackrestConfiguration(folder: string, port: number, repository: string): string {
  return deployed("pgbackrest.conf")
    .replace("/srv/pgbackrest", repository)
    .replace(
      /pg1-path=.*/,
      `pg1-path=${folder}/data\npg1-port=${port}\npg1-socket-path=${folder}\npg1-user=${superuser.username}`,
    )
    .replace(
      "[global]",
      `[global]\nlog-path=${folder}\nlock-path=${folder}\nspool-path=${folder}\nlog-level-file=off`,
    );
}
