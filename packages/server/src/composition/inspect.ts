import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { inspectServer, type InspectedServer } from "#adapters/postgres/inspect-server.ts";
import { missingRights } from "#adapters/postgres/missing-rights.ts";
import { isPrivateLink, notPrivate } from "#adapters/postgres/private-link.ts";
import { systemClock } from "#adapters/system/clock.ts";
import { folderProblem } from "#adapters/system/data-folder.ts";
import { keyLocation, readKeys, type KeyLocation } from "#adapters/system/key-file.ts";
import { createSealing } from "#adapters/system/sealing.ts";
import { inspectTls, type LoadedTls } from "#adapters/system/tls.ts";
import type { Config } from "#config.ts";
import type { Clock } from "#ports/clock.ts";
import type { Sealing } from "#ports/sealing.ts";
import { sqliteFile } from "./open-database.ts";

// The read-only checks of `doctor`.

export const clock: Clock = systemClock;

/** Why the service could not use the data folder. */
export function dataFolderProblem({ data }: Config): string | undefined {
  return folderProblem(data);
}

/** The certificate in use. Undefined: the next start creates one. */
export function inspectCertificate({
  tls,
  data,
}: Config): Promise<Pick<LoadedTls, "expiresAt" | "fingerprint256"> | undefined> {
  return inspectTls(tls, data, systemClock.now());
}

/** The warning if the connection to PostgreSQL is neither local nor verified. */
export function databaseLinkProblem(databaseUrl: string): string | undefined {
  return isPrivateLink(databaseUrl) ? undefined : notPrivate;
}

/** Names the privilege that the service lacks on a database that it can read. */
export async function databaseRightsProblem(
  config: Config,
  isMigrating: boolean,
): Promise<string | undefined> {
  if (config.databaseUrl !== undefined) return missingRights(config.databaseUrl, isMigrating);
  const path = sqliteFile(config);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return `${path} is not writable: chown it to the user that runs ironleased`;
  }
}

/** The PostgreSQL server. Undefined with SQLite. */
export async function inspectDatabaseServer({
  databaseUrl,
  databaseAnswerMs,
}: Config): Promise<InspectedServer | undefined> {
  return databaseUrl === undefined ? undefined : inspectServer(databaseUrl, databaseAnswerMs);
}

export interface InspectedKey {
  readonly path: string;
  /** In the data folder, where the service creates it. Otherwise a setting names it. */
  readonly isOurs: boolean;
  readonly isMissing: boolean;
  readonly isOpenToOthers: boolean;
  /** Fails if the key file cannot be used. */
  check(): Promise<void>;
}

export interface InspectedSealingKey extends InspectedKey {
  readonly sealing: Sealing;
}

/** The key that seals the operators' second factors. */
export function inspectSecondFactorKey(config: Config): InspectedSealingKey {
  const { read, ...key } = inspectKey(keyLocation(config.secretFile, config.data));
  return { ...key, sealing: createSealing(read) };
}

/** The key that signs statements. */
export function inspectStatementKey(config: Config): InspectedKey {
  return inspectKey(keyLocation(config.statementKeyFile, config.data, "statement.key"));
}

function inspectKey({ path, isOurs }: KeyLocation) {
  const isMissing = isOurs && !existsSync(path);
  // Reading our own file would create it, so read it like a configured one. While it is missing, use a random
  // key, which opens nothing that another key has sealed.
  const read = isMissing ? async () => [randomBytes(32)] : () => readKeys({ path, isOurs: false });
  return {
    path,
    isOurs,
    isMissing,
    isOpenToOthers: existsSync(path) && (statSync(path).mode & 0o007) !== 0,
    check: async () => void (await read()),
    read,
  };
}
