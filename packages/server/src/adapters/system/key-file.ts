import { randomBytes } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readOwnFile, syncFolder, writeOwnFile } from "./certificate-files.ts";
import { createFolder } from "./data-folder.ts";

const keyBytes = 32;

/** More than a key rotation ever needs. */
const maxKeys = 10;

/** A configured key file, or our own in the data folder. */
export interface KeyLocation {
  readonly path: string;
  readonly isOurs: boolean;
}

export function keyLocation(
  configured: string | undefined,
  dataFolder: string,
  name: "secret.key" | "statement.key" = "secret.key",
): KeyLocation {
  return configured === undefined
    ? { path: join(dataFolder, name), isOurs: true }
    : { path: configured, isOurs: false };
}

/**
 * Reads the keys, one per line, each 32 bytes in base64. The first key seals or signs, and the others open text that
 * they sealed earlier. Creates our own file if it is missing, but never a configured one, because each instance would
 * create a different key.
 */
export async function readKeys({ path, isOurs }: KeyLocation): Promise<readonly Buffer[]> {
  if (!isOurs) return parse(await readConfigured(path), path);
  const found = await readOwnFile(path);
  return parse(found ?? (await createKeyFile(path)), path);
}

async function readConfigured(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(
      `The key file ${path} cannot be read (${code}): copy it from the previous installation, or create a new one: (umask 077; openssl rand -base64 32 > ${path})`,
      { cause: error },
    );
  }
}

function parse(text: string, path: string): readonly Buffer[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const keys = lines.map((line) => Buffer.from(line.trim(), "base64"));
  if (keys.length === 0 || keys.length > maxKeys || keys.some((key) => key.length !== keyBytes)) {
    throw new Error(
      `The key file ${path} is damaged: it must contain 1 to ${maxKeys} lines, each 32 bytes in base64.`,
    );
  }
  return keys;
}

/** Writes a temporary file and links it, so that one of several starting processes wins and all read its key. */
async function createKeyFile(path: string): Promise<string> {
  await createFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await writeOwnFile(temporary, `${randomBytes(keyBytes).toString("base64")}\n`);
  try {
    await link(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  const text = await readOwnFile(path);
  if (text === undefined) throw new Error(`The key file ${path} cannot be read: check its owner.`);
  return text;
}
