import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureCertificate, inspectCertificate } from "./certificate.ts";
import { readCertificateFiles } from "./certificate-files.ts";
import { folderProblem } from "./data-folder.ts";

export interface LoadedTls {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly fingerprint256: string;
  readonly expiresAt: number;
  /** Where the local CA lies, when it is ours. */
  readonly caPath: string | undefined;
}

type TlsChoice =
  | { readonly kind: "self-signed" }
  | { readonly kind: "off" }
  | { readonly kind: "files"; readonly certificatePath: string; readonly keyPath: string };

const localNames = ["localhost", "127.0.0.1", "::1"];
const renewBeforeMs = 30 * 86_400_000;

/** The certificate to serve with, made or renewed if it is ours; undefined when TLS is off. */
export async function loadTls(
  choice: TlsChoice,
  dataFolder: string,
  now: number,
): Promise<LoadedTls | undefined> {
  if (choice.kind === "off") return undefined;
  if (choice.kind === "files") {
    const read = await readCertificateFiles({ ...choice, now });
    return { ...read, caPath: undefined };
  }
  return ensureCertificate({
    folder: ownFolder(dataFolder),
    names: localNames,
    now,
    renewBeforeMs,
  });
}

/** What a start would serve with, as far as it is there. Changes no file. */
export async function inspectTls(
  choice: TlsChoice,
  dataFolder: string,
  now: number,
): Promise<Pick<LoadedTls, "fingerprint256" | "expiresAt"> | undefined> {
  if (choice.kind !== "self-signed") return loadTls(choice, dataFolder, now);
  const folder = ownFolder(dataFolder);
  const found = existsSync(folder)
    ? await inspectCertificate({ folder, names: localNames, now, renewBeforeMs })
    : undefined;
  if (found !== undefined) {
    return { fingerprint256: found.fingerprint256, expiresAt: found.validToDate.getTime() };
  }
  const problem = folderProblem(folder);
  if (problem !== undefined) throw new Error(problem);
  return undefined;
}

function ownFolder(dataFolder: string): string {
  return join(dataFolder, "tls");
}
