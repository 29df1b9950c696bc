import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureCertificate, inspectCertificate } from "./certificate.ts";
import { readCertificateFiles } from "./certificate-files.ts";
import { folderProblem } from "./data-folder.ts";

export interface LoadedTls {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly fingerprint256: string;
  readonly startsAt: number;
  readonly expiresAt: number;
  /** The path of our local CA; undefined with the operator's own certificate. */
  readonly caPath: string | undefined;
}

type TlsChoice =
  | { readonly kind: "self-signed" }
  | { readonly kind: "off" }
  | { readonly kind: "acme" }
  | { readonly kind: "files"; readonly certificatePath: string; readonly keyPath: string };

const localNames = ["localhost", "127.0.0.1", "::1"];
const renewBeforeMs = 30 * 86_400_000;

/**
 * Loads the certificate, and issues or renews our own. Undefined when TLS is off. With ACME, our own serves until the
 * authority has issued one.
 */
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

/** The certificate that a start would use, if it exists already. Read-only. */
export async function inspectTls(
  choice: TlsChoice,
  dataFolder: string,
  now: number,
): Promise<Pick<LoadedTls, "fingerprint256" | "expiresAt"> | undefined> {
  if (choice.kind !== "self-signed" && choice.kind !== "acme")
    return loadTls(choice, dataFolder, now);
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
