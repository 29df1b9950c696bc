import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { createSecureContext } from "node:tls";

/** `certificatePem` starts with the leaf, followed by its issuers. */
export type ServerCertificate = {
  certificatePem: string;
  keyPem: string;
  fingerprint256: string;
  startsAt: number;
  expiresAt: number;
};

export type CertificatePair = { certificate: X509Certificate; keyPem: string };

const maxFileBytes = 1_048_576;
const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const encryptedKey = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/**
 * Reads the operator's own certificate and key. Reports every problem at start, with the name of the file,
 * instead of letting the first client fail to connect.
 */
export async function readCertificateFiles(request: {
  certificatePath: string;
  keyPath: string;
  now: number;
}): Promise<ServerCertificate> {
  const { certificatePath, keyPath, now } = request;
  const chain = parseChain(await readPem(certificatePath, "certificate"), certificatePath);
  const key = parseKey(await readPem(keyPath, "key"), keyPath);

  const leaf = chain[0];
  const file = `The certificate file ${certificatePath}`;
  if (leaf === undefined) {
    const remedy = 'use a file with a "BEGIN CERTIFICATE" block';
    throw unusable(`${file} contains no PEM certificate`, remedy);
  }
  if (!leaf.checkPrivateKey(key)) {
    const remedy = "use the key of the server's own certificate, and put that certificate first";
    throw unusable(`The key file ${keyPath} does not match ${certificatePath}`, remedy);
  }
  if (now < leaf.validFromDate.getTime()) {
    const date = leaf.validFromDate.toISOString();
    throw unusable(`${file} is not valid before ${date}`, "check the clock or use another one");
  }
  if (now > leaf.validToDate.getTime()) {
    throw unusable(`${file} expired at ${leaf.validToDate.toISOString()}`, "renew it");
  }

  const certificatePem = chain.map(String).join("");
  const keyPem = key.export({ type: "pkcs8", format: "pem" });
  try {
    createSecureContext({ cert: certificatePem, key: keyPem });
  } catch {
    throw unusable(`${file} is too weak for TLS`, "use one with an ECDSA or a 2048-bit RSA key");
  }
  return {
    certificatePem,
    keyPem,
    fingerprint256: leaf.fingerprint256,
    startsAt: leaf.validFromDate.getTime(),
    expiresAt: leaf.validToDate.getTime(),
  };
}

function unusable(what: string, remedy: string): Error {
  return new Error(`${what}: ${remedy}.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function readPem(path: string, kind: "certificate" | "key"): Promise<string> {
  const subject = `The ${kind} file ${path}`;
  let text: string | undefined;
  try {
    await using file = await open(path, constants.O_RDONLY);
    const { size } = await file.stat();
    text = size > maxFileBytes ? undefined : await file.readFile("latin1");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") throw unusable(`${subject} does not exist`, "correct its path");
    if (code === "EISDIR") throw unusable(`${subject} is a folder`, "name a file in it");
    throw unusable(`${subject} cannot be read (${code})`, "allow the service's user to read it");
  }
  if (text === undefined) throw unusable(`${subject} is over 1 MiB`, "use a PEM file");
  return text;
}

function parseChain(pem: string, path: string): X509Certificate[] {
  try {
    return Array.from(pem.matchAll(certificateBlock), ([block]) => new X509Certificate(block));
  } catch {
    const remedy = "download it again from its issuer";
    throw unusable(`The certificate file ${path} contains a damaged certificate`, remedy);
  }
}

function parseKey(pem: string, path: string): KeyObject {
  const subject = `The key file ${path}`;
  if (encryptedKey.test(pem)) {
    throw unusable(`${subject} is protected by a passphrase`, "store the key without one");
  }
  try {
    return createPrivateKey(pem);
  } catch {
    const remedy = 'use a file with a "PRIVATE KEY" block';
    throw unusable(`${subject} contains no PEM private key`, remedy);
  }
}

/** Whether to remove other users' access to one of our files. */
export type FileModes = "close to others" | "leave modes";

/** Reads a `.pem` and its `.key`. Undefined if they are missing or unusable, so that the caller creates new ones. */
export async function readOwnPair(
  path: string,
  modes?: FileModes,
): Promise<CertificatePair | undefined> {
  const certificatePem = await readOwnFile(`${path}.pem`, modes);
  const keyPem = await readOwnFile(`${path}.key`, modes);
  if (certificatePem === undefined || keyPem === undefined) return undefined;
  try {
    const certificate = new X509Certificate(certificatePem);
    const matches = certificate.checkPrivateKey(createPrivateKey(keyPem));
    return matches ? { certificate, keyPem } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file that this service wrote and removes other users' access. Undefined if it is missing or unusable. */
export async function readOwnFile(
  path: string,
  modes: FileModes = "close to others",
): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { mode, size } = await file.stat();
    if (modes === "close to others" && (mode & 0o077) !== 0) await file.chmod(0o600);
    return size > maxFileBytes ? undefined : await file.readFile("utf8");
  } catch (error) {
    // Other errors, such as too many open files, do not mean that the file is unusable.
    const unusableCodes = ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "EACCES", "EPERM"];
    if (unusableCodes.includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Creates a file that only the owner can read, and syncs it to disk. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}

/** Syncs the entries of a folder to disk, as `writeOwnFile` does for the content of a file. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can neither open nor sync a folder.
  if (process.platform === "win32") return;
  await using file = await open(folder, constants.O_RDONLY);
  await file.sync();
}
