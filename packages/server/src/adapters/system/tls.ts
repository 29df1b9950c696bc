import { join } from "node:path";
import { ensureCertificate } from "./certificate.ts";
import { readCertificateFiles } from "./certificate-files.ts";

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
  const folder = join(dataFolder, "tls");
  return ensureCertificate({ folder, names: localNames, now, renewBeforeMs });
}
