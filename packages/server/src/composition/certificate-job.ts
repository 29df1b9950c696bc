import { loadTls, type LoadedTls } from "#adapters/system/tls.ts";
import type { Config } from "#config.ts";
import { startIntervalJob, type WakeableJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import type { Log } from "#ports/log.ts";
import type { Metrics } from "#ports/metrics.ts";
import type { OpenListener } from "./listeners.ts";

/** Reading files is cheap. Our own certificate is renewed a month before it expires. */
const everyMs = { files: 2_000, "self-signed": 12 * 3_600_000, off: 12 * 3_600_000 } as const;

/**
 * Renews our own certificate and reads the operator's again when its files change. New connections get the new
 * certificate, and open ones stay open. With a pair that cannot be used, the current one stays.
 */
export function startCertificateJob(
  config: Config,
  core: Core,
  log: Log,
  metrics: Metrics,
  listeners: readonly OpenListener[],
  started: LoadedTls | undefined,
): WakeableJob {
  let current = started;
  let problem: string | undefined;
  if (current !== undefined) metrics.certificateUsed(current);
  const refuse = (error: unknown) => {
    metrics.passFailed("certificate");
    const reason = error instanceof Error ? error.message : String(error);
    // Once for each problem, because the files are read every few seconds.
    if (reason !== problem) log.warn({ reason }, "kept the current certificate");
    problem = reason;
  };
  const job = startIntervalJob(
    async () => {
      let next: LoadedTls | undefined;
      try {
        next = await loadTls(config.tls, config.data, core.clock.now());
      } catch (error) {
        refuse(error);
        return [];
      }
      problem = undefined;
      if (next !== undefined && !isSame(next, current)) {
        for (const { replaceCertificate } of listeners) replaceCertificate(next);
        metrics.certificateUsed(next);
        const { fingerprint256: fingerprint, expiresAt } = next;
        log.info({ fingerprint, expiresAt: new Date(expiresAt) }, "replaced the certificate");
        current = next;
      }
      metrics.passEnded("certificate", core.clock.now(), true);
      return [];
    },
    everyMs[config.tls.kind],
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

function isSame(next: LoadedTls, current: LoadedTls | undefined): boolean {
  return next.certificatePem === current?.certificatePem && next.keyPem === current.keyPem;
}
