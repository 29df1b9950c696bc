import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificate } from "#server/adapters/system/certificate.ts";

export interface BenchCertificate {
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly ca: string;
}

/** One certificate for the service and the bare server, so that both do the same handshakes. */
export async function makeCertificate(): Promise<BenchCertificate> {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-bench-tls-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const names = ["localhost", "127.0.0.1"];
  const made = await ensureCertificate({ folder, names, now: Date.now() });
  const certificatePath = join(folder, "certificate.pem");
  const keyPath = join(folder, "key.pem");
  writeFileSync(certificatePath, made.certificatePem);
  writeFileSync(keyPath, made.keyPem, { mode: 0o600 });
  return { certificatePath, keyPath, ca: made.caPem };
}
