import { X509Certificate } from "node:crypto";
import { ok } from "#kernel/result.ts";
import { openSealed } from "#kernel/sealed-secrets.ts";
import type { IssuedCertificate } from "#ports/certificate-authority.ts";
import type { Tx } from "#ports/db.ts";
import { keyOf, type CertificateCore, type CertificateScope } from "./scope.ts";

export interface CertificateState {
  readonly certificate: string | null;
  readonly expiresAt: number | null;
  readonly error: string | null;
  /** When the next order is due. */
  readonly dueAt: number;
}

/** Undefined before the first order. */
export async function readState(
  read: Tx,
  scope: CertificateScope,
): Promise<CertificateState | undefined> {
  const { directory, names } = keyOf(scope);
  return read
    .selectFrom("acme_certificates")
    .select(["certificate", "expires_at as expiresAt", "error", "due_at as dueAt"])
    .where("directory", "=", directory)
    .where("names", "=", names)
    .executeTakeFirst();
}

/**
 * The certificate that this instance or another one ordered. Undefined before the first, and when its key is sealed
 * with a key that the key file lacks: then a new one is due.
 */
export async function readCertificate(
  core: CertificateCore,
  scope: CertificateScope,
  known?: IssuedCertificate,
): Promise<IssuedCertificate | undefined> {
  const { directory, names } = keyOf(scope);
  const row = await core.db.read
    .selectFrom("acme_certificates")
    .select(["certificate", "private_key as sealed"])
    .where("directory", "=", directory)
    .where("names", "=", names)
    .executeTakeFirst();
  if (row === undefined || row.certificate === null || row.sealed === null) return undefined;
  if (row.certificate === known?.certificatePem) return known;
  const keyPem = await openSealed(core, row.sealed, contextOf(scope));
  if (keyPem === undefined) {
    await replaceKey(core, scope, row.sealed, { due_at: core.clock.now() });
    return undefined;
  }
  if (!(await core.sealing.isCurrent(row.sealed))) {
    const private_key = await core.sealing.seal(keyPem, contextOf(scope));
    await replaceKey(core, scope, row.sealed, { private_key });
  }
  const leaf = new X509Certificate(row.certificate);
  return {
    certificatePem: row.certificate,
    keyPem,
    fingerprint256: leaf.fingerprint256,
    startsAt: leaf.validFromDate.getTime(),
    expiresAt: leaf.validToDate.getTime(),
  };
}

export function contextOf(scope: CertificateScope): string {
  const { directory, names } = keyOf(scope);
  return `acme-certificate:${directory} ${names}`;
}

async function replaceKey(
  { db }: CertificateCore,
  scope: CertificateScope,
  sealed: string,
  change: { readonly private_key: string } | { readonly due_at: number },
): Promise<void> {
  const { directory, names } = keyOf(scope);
  await db.write(async (tx) => {
    await tx
      .updateTable("acme_certificates")
      .set(change)
      .where("directory", "=", directory)
      .where("names", "=", names)
      .where("private_key", "=", sealed)
      .execute();
    return ok();
  });
}
