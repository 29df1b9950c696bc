import { randomBytes, type X509Certificate } from "node:crypto";
import { chmod, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import type { CertificatePair as Pair, FileModes, ServerCertificate } from "./certificate-files.ts";
import { readOwnFile, readOwnPair, syncFolder, writeOwnFile } from "./certificate-files.ts";
import { createFolder } from "./data-folder.ts";

export type EnsureCertificate = {
  folder: string;
  names: readonly string[];
  now: number;
  renewBeforeMs?: number | undefined;
};

export type EnsuredCertificate = ServerCertificate & {
  caPem: string;
  caPath: string;
  created: boolean;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const leafLifeMs = 397 * dayMs;
const defaultRenewBeforeMs = 30 * dayMs;
const abandonedAfterMs = hourMs;
const maxAttempts = 20;
const maxNames = 100;
const temporaryPrefix = ".making-";
const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
// A last label of only digits is a mistyped IPv4 address.
const dnsName = new RegExp(`^(?=.{1,253}$)(?!.*(^|\\.)\\d+$)${label}(\\.${label})*$`);

/**
 * Returns a leaf certificate signed by a local authority, which users need to trust only once. The four files of a
 * set are in one folder (`set-000001` and so on) that never changes once it has its name. A reader of the newest set
 * therefore gets files that belong together, and when several processes renew at once, one wins and the others use
 * its set.
 */
export async function ensureCertificate(request: EnsureCertificate): Promise<EnsuredCertificate> {
  const { folder, now } = request;
  const names = checkedNames(request.names);
  // With a window as long as the life of a leaf, every new leaf would be due for renewal.
  const renewBeforeMs = Math.min(request.renewBeforeMs ?? defaultRenewBeforeMs, leafLifeMs - dayMs);
  await createFolder(folder);
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);

  let published = 0;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const number = await newestSet(folder);
    const pairs = await readSet(folder, number);
    const issuer = usableAuthority(pairs, now, renewBeforeMs);
    const leaf = usableLeaf(pairs, issuer, names, now, renewBeforeMs);

    if (issuer !== undefined && leaf !== undefined) {
      await publishAuthority(folder, issuer);
      await removeLeftovers(folder, number, now);
      // Another process may have published a newer set with another authority.
      if ((await newestSet(folder)) !== number) continue;
      return describe(folder, issuer, leaf, published === number);
    }
    // Loaded on demand: this import takes longer than all other TLS setup.
    const { issueAuthority, issueLeaf } = await import("./issue-certificate.ts");
    const signer = issuer ?? (await issueAuthority(now));
    const next = await issueLeaf(signer, names, now, leafLifeMs);
    if (await publishSet(folder, number + 1, signer, next)) published = number + 1;
  }
  throw new Error(
    `The certificates in ${folder} keep changing: use one data folder per configuration.`,
  );
}

/**
 * The leaf that `ensureCertificate` would keep, or undefined if it would issue a new one. Read-only: it does not
 * change file modes either.
 */
export async function inspectCertificate(
  request: EnsureCertificate,
): Promise<X509Certificate | undefined> {
  const { folder, names, now, renewBeforeMs = defaultRenewBeforeMs } = request;
  const pairs = await readSet(folder, await newestSet(folder), "leave modes");
  const issuer = usableAuthority(pairs, now, renewBeforeMs);
  return usableLeaf(pairs, issuer, checkedNames(names), now, renewBeforeMs)?.certificate;
}

interface CertificateSet {
  readonly authority: Pair | undefined;
  readonly leaf: Pair | undefined;
}

async function readSet(folder: string, number: number, modes?: FileModes): Promise<CertificateSet> {
  return {
    authority: await readOwnPair(join(setPath(folder, number), "ca"), modes),
    leaf: await readOwnPair(join(setPath(folder, number), "server"), modes),
  };
}

function usableAuthority(
  { authority }: CertificateSet,
  now: number,
  renewBeforeMs: number,
): Pair | undefined {
  const isUsable = isAuthority(authority) && lasts(authority, now, renewBeforeMs);
  return isUsable ? authority : undefined;
}

function usableLeaf(
  { leaf }: CertificateSet,
  issuer: Pair | undefined,
  names: readonly string[],
  now: number,
  renewBeforeMs: number,
): Pair | undefined {
  if (issuer === undefined || !isIssued(leaf, issuer, names)) return undefined;
  return lasts(leaf, now, renewBeforeMs) ? leaf : undefined;
}

function checkedNames(names: readonly string[]): string[] {
  const checked = [...new Set(names.map((name) => name.toLowerCase()))];
  if (checked.length === 0 || checked.length > maxNames) {
    throw new Error(`A certificate needs from 1 to ${maxNames} names.`);
  }
  for (const name of checked) {
    const fits = isIP(name) === 0 ? dnsName.test(name) : !name.includes("%");
    if (!fits) throw new Error(`A certificate needs host names or IP addresses, not "${name}".`);
  }
  return checked;
}

function describe(folder: string, authority: Pair, leaf: Pair, created: boolean) {
  const caPem = authority.certificate.toString();
  return {
    certificatePem: leaf.certificate.toString() + caPem,
    keyPem: leaf.keyPem,
    caPem,
    fingerprint256: leaf.certificate.fingerprint256,
    startsAt: leaf.certificate.validFromDate.getTime(),
    expiresAt: leaf.certificate.validToDate.getTime(),
    caPath: resolve(folder, "ca.pem"),
    created,
  };
}

function isAuthority(pair: Pair | undefined): pair is Pair {
  return pair?.certificate.ca === true && pair.certificate.verify(pair.certificate.publicKey);
}

function isIssued(pair: Pair | undefined, issuer: Pair, names: readonly string[]): pair is Pair {
  return (
    pair !== undefined &&
    pair.certificate.checkIssued(issuer.certificate) &&
    pair.certificate.verify(issuer.certificate.publicKey) &&
    names.every((name) => covers(pair.certificate, name))
  );
}

function covers(certificate: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined;
  return certificate.checkHost(name, { subject: "never" }) !== undefined;
}

function lasts({ certificate }: Pair, now: number, renewBeforeMs: number): boolean {
  const leftMs = certificate.validToDate.getTime() - now;
  return certificate.validFromDate.getTime() <= now && leftMs > renewBeforeMs;
}

function setPath(folder: string, number: number): string {
  return join(folder, `set-${String(number).padStart(6, "0")}`);
}

function setNumber(name: string): number {
  return Number(/^set-(\d{6})$/.exec(name)?.[1] ?? 0);
}

async function newestSet(folder: string): Promise<number> {
  return Math.max(0, ...(await readdir(folder)).map(setNumber));
}

/** False when another process published this number first. */
async function publishSet(folder: string, number: number, authority: Pair, leaf: Pair) {
  const temporary = await mkdtemp(join(folder, temporaryPrefix));
  const caPem = authority.certificate.toString();
  try {
    await writeOwnFile(join(temporary, "ca.pem"), caPem);
    await writeOwnFile(join(temporary, "ca.key"), authority.keyPem);
    await writeOwnFile(join(temporary, "server.pem"), leaf.certificate.toString() + caPem);
    await writeOwnFile(join(temporary, "server.key"), leaf.keyPem);
    await syncFolder(temporary);
    // rename never replaces a folder that is not empty, so this fails if the name is taken.
    await rename(temporary, setPath(folder, number));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if ((await newestSet(folder)) >= number) return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** Copies the authority to a path that is the same for every set. */
async function publishAuthority(folder: string, { certificate }: Pair): Promise<void> {
  const path = join(folder, "ca.pem");
  if ((await readOwnFile(path)) === certificate.toString()) return;
  const temporary = join(folder, temporaryPrefix + randomBytes(8).toString("hex"));
  await writeOwnFile(temporary, certificate.toString());
  await rename(temporary, path);
  await syncFolder(folder);
}

/** Removes unused sets and leftovers of a crash. Failures to remove are ignored. */
async function removeLeftovers(folder: string, number: number, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const isOldSet = setNumber(name) > 0 && setNumber(name) < number;
    const leftover = name.startsWith(temporaryPrefix)
      ? await stat(path).catch(() => undefined)
      : undefined;
    const isAbandoned = leftover !== undefined && leftover.mtimeMs < now - abandonedAfterMs;
    if (!isOldSet && !isAbandoned) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
