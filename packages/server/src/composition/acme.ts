import { once } from "node:events";
import type { Server } from "node:http";
import { connectAcme } from "#adapters/acme/acme-authority.ts";
import { certificateNames, type Config } from "#config.ts";
import { keepCertificate } from "#features/certificates/keep-certificate.ts";
import type { CertificateScope } from "#features/certificates/scope.ts";
import { readCertificate } from "#features/certificates/stored-certificate.ts";
import { createChallengeServer } from "#http/challenge-server.ts";
import type { Core } from "#kernel/core.ts";
import type { IssuedCertificate } from "#ports/certificate-authority.ts";
import type { Log } from "#ports/log.ts";
import { version } from "#version.ts";

/** A certificate from an authority, shared by all instances through the database. */
export interface Acme {
  /** The stored certificate. */
  current(): Promise<IssuedCertificate | undefined>;
  /** The same, ordered or renewed first if that is due. */
  readonly keep: (
    known: IssuedCertificate | undefined,
    stop: AbortSignal,
  ) => Promise<IssuedCertificate | undefined>;
  readonly close: () => void;
}

export function acmeScope(config: Config): CertificateScope {
  return { directory: config.acmeDirectory, names: certificateNames(config) };
}

/** Undefined unless certificates come from an authority. Opens the listener for its challenges. */
export async function openAcme(config: Config, core: Core, log: Log): Promise<Acme | undefined> {
  if (config.tls.kind !== "acme") return undefined;
  const scope = acmeScope(config);
  const authority = connectAcme({
    directoryUrl: config.acmeDirectory,
    contact: config.acmeContact,
    userAgent: `ironlease/${version}`,
  });
  const server = createChallengeServer(core, log);
  await listen(server, config);
  return {
    current: () => readCertificate(core, scope),
    keep: (known, stop) => keepCertificate(core, authority, scope, { known, stop }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { acmeHttpListen: { host, port } }: Config): Promise<void> {
  server.listen({ host, port });
  await once(server, "listening");
}
