import { randomBytes } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readOwnFile, syncFolder, writeOwnFile } from "./certificate-files.ts";
import { makeFolder } from "./data-folder.ts";

const keyBytes = 32;

/** More than a key rotation ever needs. */
const maxKeys = 10;

/** Where the key is: a configured file, or our own in the data folder. */
export interface KeyPlace {
  readonly path: string;
  readonly isOurs: boolean;
}

export function keyPlace(secretFile: string | undefined, dataFolder: string): KeyPlace {
  return secretFile === undefined
    ? { path: join(dataFolder, "secret.key"), isOurs: true }
    : { path: secretFile, isOurs: false };
}

/**
 * Reads the keys, one per line, each 32 bytes in base 64. The first one seals, and the others open what they sealed
 * earlier. Our own file is created when it is missing. A configured one never is, since each instance
 * would create a different key.
 */
export async function readKeys({ path, isOurs }: KeyPlace): Promise<readonly Buffer[]> {
  if (!isOurs) return parse(await readGiven(path), path);
  const found = await readOwnFile(path);
  return parse(found ?? (await makeKeyFile(path)), path);
}

async function readGiven(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(
      `The key file ${path} cannot be read (${code}): copy it from where the service ran before, or for a new one run: (umask 077; openssl rand -base64 32 > ${path})`,
      { cause: error },
    );
  }
}

function parse(text: string, path: string): readonly Buffer[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const keys = lines.map((line) => Buffer.from(line.trim(), "base64"));
  if (keys.length === 0 || keys.length > maxKeys || keys.some((key) => key.length !== keyBytes)) {
    throw new Error(
      `The key file ${path} is damaged: it must hold 1 to ${maxKeys} lines, each 32 bytes in base 64.`,
    );
  }
  return keys;
}

/** Writes a temporary file and links it, so that one of several starting processes wins and all read its key. */
async function makeKeyFile(path: string): Promise<string> {
  await makeFolder(dirname(path));
  const making = `${path}.${randomBytes(6).toString("hex")}`;
  await writeOwnFile(making, `${randomBytes(keyBytes).toString("base64")}\n`);
  try {
    await link(making, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(making, { force: true });
  }
  const made = await readOwnFile(path);
  if (made === undefined) throw new Error(`The key file ${path} cannot be read: check its owner.`);
  return made;
}
