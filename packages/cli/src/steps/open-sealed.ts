import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { openText, readPrivateKey, UnusableKey, type PrivateKey } from "@ironlease/age/open";
import { usageFailure } from "#failures/failure.ts";
import type { Io } from "#io.ts";

interface Sealed {
  readonly ciphertext: string;
  readonly fingerprint: string;
}

interface Found {
  readonly file: string;
  readonly key: PrivateKey;
}

/** Where ssh-keygen writes the keys that age can use. */
const usualFiles = ["id_ed25519", "id_rsa"];

const nameAnother = ["Name the right private key with --identity."];

/** Decrypts a message with the named private key file, or with the usual one that fits. */
export async function openSealed(
  io: Io,
  { ciphertext, fingerprint }: Sealed,
  identity: string | undefined,
): Promise<string> {
  const { file, key } =
    identity === undefined
      ? findUsual(io, fingerprint)
      : readNamed(resolve(io.cwd, identity), fingerprint);
  if (key.secret === undefined) throw isProtected(file);
  try {
    return await openText(ciphertext, key);
  } catch {
    throw usageFailure(
      `${file} has the right fingerprint but does not open this message. The message is damaged.`,
      "Ask the operators to send it again.",
    );
  }
}

function readNamed(file: string, fingerprint: string): Found {
  const key = readKeyFile(file);
  if (key === undefined) throw usageFailure(`${file} cannot be read.`);
  if (key instanceof UnusableKey) throw usageFailure(`${file}: ${key.message}`, ...nameAnother);
  if (key.fingerprint === fingerprint) return { file, key };
  throw usageFailure(
    `The message is encrypted to ${fingerprint}, but ${file} is ${key.fingerprint}.`,
    ...nameAnother,
  );
}

function findUsual(io: Io, fingerprint: string): Found {
  const folder = join(io.env["HOME"] ?? homedir(), ".ssh");
  for (const name of usualFiles) {
    const file = join(folder, name);
    const key = readKeyFile(file);
    if (key === undefined || key instanceof UnusableKey) continue;
    if (key.fingerprint === fingerprint) return { file, key };
  }
  throw usageFailure(
    `Neither id_ed25519 nor id_rsa in ${folder} is ${fingerprint}, to which the message is encrypted.`,
    ...nameAnother,
  );
}

/** Undefined when there is no such file. */
function readKeyFile(file: string): PrivateKey | UnusableKey | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    return readPrivateKey(text);
  } catch (error) {
    if (error instanceof UnusableKey) return error;
    throw error;
  }
}

function isProtected(file: string) {
  return usageFailure(
    `A passphrase protects ${file}, which this command cannot ask for.`,
    "Save the message with --ciphertext > message.age, and open it with age, which asks for the passphrase:",
    `age -d -i ${file} message.age`,
  );
}
