import { startIntervalJob, type WakeableJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import type { IssuedCertificate } from "#ports/certificate-authority.ts";
import type { Log } from "#ports/log.ts";
import type { Metrics } from "#ports/metrics.ts";
import type { OpenListener } from "./listeners.ts";

export interface CertificateJob {
  readonly core: Core;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly listeners: readonly OpenListener[];
  readonly everyMs: number;
  /** Returns the certificate to use now. Undefined keeps the current one. */
  readonly load: (
    known: IssuedCertificate | undefined,
    stop: AbortSignal,
  ) => Promise<IssuedCertificate | undefined>;
  readonly started: IssuedCertificate | undefined;
}

/**
 * Keeps the certificate of listeners up to date. New connections get the new certificate, and open ones stay open. With
 * one that cannot be used, the current one stays.
 */
export function startCertificateJob(options: CertificateJob): WakeableJob {
  const { core, log, metrics, listeners, everyMs, load } = options;
  let current = options.started;
  let problem: string | undefined;
  for (const { name } of listeners) metrics.certificateUsed(name, current);
  const use = (next: IssuedCertificate) => {
    for (const { name, replaceCertificate } of listeners) {
      replaceCertificate(next);
      metrics.certificateUsed(name, next);
    }
    const { fingerprint256: fingerprint, expiresAt } = next;
    log.info({ fingerprint, expiresAt: new Date(expiresAt) }, "replaced the certificate");
    current = next;
  };
  const refuse = (error: unknown) => {
    metrics.passFailed("certificate");
    const reason = error instanceof Error ? error.message : String(error);
    // Once for each problem, because files are read every few seconds.
    if (reason !== problem) log.warn({ reason }, "kept the current certificate");
    problem = reason;
  };
  const job = startIntervalJob(
    async (stop) => {
      try {
        const next = await load(current, stop);
        problem = undefined;
        if (next !== undefined && !isSame(next, current)) use(next);
        metrics.passEnded("certificate", core.clock.now(), true);
      } catch (error) {
        refuse(error);
      }
      return [];
    },
    everyMs,
    refuse,
  );
  return {
    stop: () => job.stop(),
    wake: () => {
      problem = undefined;
      job.wake();
    },
  };
}

function isSame(next: IssuedCertificate, current: IssuedCertificate | undefined): boolean {
  return next.certificatePem === current?.certificatePem && next.keyPem === current.keyPem;
}
